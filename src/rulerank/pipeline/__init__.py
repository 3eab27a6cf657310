"""The pipeline: its stages, what they leave for one another, dvc.yaml made from both; named experiments."""
