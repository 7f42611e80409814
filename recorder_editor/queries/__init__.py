"""Read-only queries: statistics, comparison, and CARLA's text reports."""
