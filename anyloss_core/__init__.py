"""AnyLoss: any confusion-matrix metric becomes a trainable loss."""
