"""A generated data set in one line."""

from anyloss_core.data.suites.synthetic import SyntheticSettings, generate


def synthetic(rows=1000, **more):
    """See `SyntheticSettings`."""
    return generate(SyntheticSettings(rows, **more))
