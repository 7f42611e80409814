"""Import and export: dumps, tables, OpenSCENARIO, highD, and a synthetic recording."""
