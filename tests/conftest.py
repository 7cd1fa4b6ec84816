"""What all tests share: property tests without a clock, the same cases in every run."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "lab", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lab")
