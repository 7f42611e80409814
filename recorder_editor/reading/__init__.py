"""What is read of a state: actors and their lives, the world at a frame, tracks, motion, lanes, expressions.

Other packages import from here what is imported here, and the rest from the modules.
"""

from .actors import Actors
from .lives import Attachment, Life, short_blueprint
from .rigid import Ghost
from .selectors import SelectorError, Subset
from .tracks import Tracks
from .trajectories import Trajectories, Trajectory
