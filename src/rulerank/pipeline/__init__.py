"""How a stage is declared, what stages leave for one another, dvc.yaml from both; named experiments."""
