"""What all tests share: property tests without a clock, the same cases in every run."""

import os

from hypothesis import HealthCheck, settings

# One thread a process: idle threads that wait for each other slow a busy machine down. Set here,
# because it counts only before torch is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile(
    "lab", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lab")
