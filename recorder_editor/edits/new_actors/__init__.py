"""New actors: their blueprints, what a recorder writes of them, the ways they drive."""
