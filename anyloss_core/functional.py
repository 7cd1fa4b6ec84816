"""The losses as pure functions, what torch.nn.functional is to torch.nn."""

from anyloss_core.losses.functional import any_loss

__all__ = ["any_loss"]
