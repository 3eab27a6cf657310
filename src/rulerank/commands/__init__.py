"""The commands: each parses its arguments, calls the Python API, and prints the result.

A command imports what it calls within its function, so none waits for what only another needs.
"""
