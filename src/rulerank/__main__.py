"""The command `rulerank` as `python -m rulerank`, where no script is on the path."""

from rulerank.cli import main

if __name__ == "__main__":
    main()
