"""The LambdaMART ranker: what it learns from and how, its calibration, what its features are worth."""
