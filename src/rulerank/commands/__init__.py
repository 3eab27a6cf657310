"""The commands: each parses its arguments, calls the Python API, and prints the result."""
