"""The circle in real time."""
