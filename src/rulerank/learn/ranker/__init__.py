"""The LambdaMART ranker: its training data and training, its calibration, the value of its features."""
