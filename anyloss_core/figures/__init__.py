"""Results as plotly figures."""

from importlib.util import find_spec

from anyloss_core.common.extras import how_to_install

if find_spec("plotly") is None:
    raise ModuleNotFoundError(f"Figures and reports need {how_to_install('app')}")
