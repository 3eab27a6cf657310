"""The pipeline: how a stage is declared, what stages leave for one another, and dvc.yaml made from both."""
