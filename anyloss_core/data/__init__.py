"""From anybody's table to a leak-free data set; see `dataset` for what a Dataset is."""

from anyloss_core.datasets.builtin import BUILTIN, builtin
from anyloss_core.datasets.columns import Column
from anyloss_core.datasets.dataset import Dataset, check_folds, dataset_from_frame
from anyloss_core.datasets.errors import DataError
from anyloss_core.datasets.limits import display_name
from anyloss_core.datasets.openml import load_openml
from anyloss_core.datasets.paper_data import paper_dataset
from anyloss_core.datasets.preparation import (
    Preparation,
    most_features,
    paper_feature_names,
    paper_features,
    prepare_fresh,
)
from anyloss_core.datasets.profile import Profile
from anyloss_core.datasets.reading import load_csv, read_table
from anyloss_core.datasets.real_suite import real_suite
from anyloss_core.datasets.references import Reference, open_reference, parse_reference
from anyloss_core.datasets.suites import open_suite, synthetic_suite
from anyloss_core.datasets.synthetic import Recipe, synthetic
from anyloss_core.datasets.target import Proposal, propose_target

__all__ = [
    "BUILTIN",
    "Column",
    "DataError",
    "Dataset",
    "Preparation",
    "Profile",
    "Proposal",
    "Recipe",
    "Reference",
    "builtin",
    "check_folds",
    "dataset_from_frame",
    "display_name",
    "load_csv",
    "load_openml",
    "most_features",
    "open_reference",
    "open_suite",
    "paper_dataset",
    "paper_feature_names",
    "paper_features",
    "parse_reference",
    "prepare_fresh",
    "propose_target",
    "read_table",
    "real_suite",
    "synthetic",
    "synthetic_suite",
]
