"""Pure mathematics: prices, bounds, posteriors. Nothing here knows a robot, a clock or a file."""
