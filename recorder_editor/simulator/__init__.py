"""Work with a running simulator or its package: replay, collect scripts, road maps, metrics of ScenarioRunner."""
