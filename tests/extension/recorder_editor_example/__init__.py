"""An example of a package that extends Recorder Editor."""
