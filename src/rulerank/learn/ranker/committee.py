"""Several models as one: their trees together, so that the score is the mean of theirs.

Models that have seen different questions disagree most where they know least, and the mean of their scores
ranks better than most of them (bagging, Breiman 1996; here the cross-validated committees of Parmanto et al.
1996). As one model it is stored, served and explained like a single one.
"""

from __future__ import annotations

from collections.abc import Sequence

import lightgbm
from lightgbm.basic import _LIB as LIBRARY  # type: ignore[attr-defined]
from lightgbm.basic import _safe_call as checked


def mean_of(boosters: Sequence[lightgbm.Booster]) -> lightgbm.Booster:
    """Return one booster whose score is the mean of those of several.

    Parameters
    ----------
    boosters : sequence of lightgbm.Booster
        One at least, of the same features; they stay as they are.

    """
    first, *others = boosters
    whole = lightgbm.Booster(model_str=first.model_to_string())
    for other in others:
        # Part of LightGBM's C API (LGBM_BoosterMerge) that its Python package does not wrap.
        checked(LIBRARY.LGBM_BoosterMerge(whole._handle, other._handle))
    for tree, described in enumerate(whole.dump_model()["tree_info"]):
        for leaf in range(described["num_leaves"]):
            whole.set_leaf_output(tree, leaf, whole.get_leaf_output(tree, leaf) / len(boosters))
    # The trees as they are now; the merged booster still reports the sums of before.
    return lightgbm.Booster(model_str=whole.model_to_string())
