"""How stages are declared, what they leave for one another, dvc.yaml from both, and named experiments."""
