"""What differs from another recording, as a tree."""
