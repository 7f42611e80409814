"""The Notes pane: notes on frames and actors as a table."""
