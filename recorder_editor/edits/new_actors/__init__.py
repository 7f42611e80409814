"""New actors: their blueprints, what a recorder writes of them, the paths they drive."""
