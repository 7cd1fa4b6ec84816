"""How much of its whole descent a loss has made by an epoch: the paper's achievement rate.

(first loss - loss now) / (first loss - last loss), on a training-loss curve; 0 at the first epoch
and 1 at the last.
"""

import numpy as np


def achievement_rate(curves: np.ndarray) -> np.ndarray:
    """Rates of loss curves (..., E), same shape; 1 for a curve that ends where it began."""
    curves = np.asarray(curves, dtype=np.float64)
    if curves.ndim == 0 or curves.shape[-1] == 0:
        raise ValueError(f"curves must hold at least one epoch, got shape {curves.shape}")
    descent = curves[..., :1] - curves
    whole = descent[..., -1:]
    flat = whole == 0
    return np.where(flat, 1.0, descent / np.where(flat, 1.0, whole))
