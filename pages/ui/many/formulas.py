"""How the figures of the page Many data sets are worked out, in words and formulas."""

TEST_NAMES = {
    "sign": "Sign test",
    "signed_rank": "Signed-rank test",
    "hierarchical": "Hierarchical test",
}
_OUTCOMES = r"""
A difference inside the **rope** (region of practical equivalence) is a draw. The probability of
an outcome is the share of draws from the posterior in which it has the largest part of all data
sets. It is not how often it is met: a draw with probability 1.00 can go with a loss on a quarter
of the data sets, so wins / ties / losses stand beside it. The Monte-Carlo error stands in the
table. The seed is fixed."""
TEST_FORMULAS = {
    "sign": r"""
**Bayesian sign test** (Benavoli et al. 2017, computed by baycomp), as in the paper. Each data set
votes once: candidate better, draw, baseline better. With the votes $n_-, n_0, n_+$ and one prior
vote for the draw:

$$(\theta_-, \theta_0, \theta_+) \sim \text{Dirichlet}(n_-, n_0 + 1, n_+)$$
"""
    + _OUTCOMES,
    "signed_rank": r"""
**Bayesian signed-rank test** (Benavoli et al. 2017). Weights $w$ of the differences $d_i$ (and of
a prior $d_0 = 0$ with weight ½) are drawn from a Dirichlet distribution; a pair counts for the
candidate when its mean difference is above the rope:

$$\theta_+ = \sum_{i,j} w_i w_j\, [\,d_i + d_j > 2\,\text{rope}\,]$$

Large differences count for more than in the sign test.
"""
    + _OUTCOMES,
    "hierarchical": r"""
**Bayesian hierarchical test** (Corani et al. 2017, baycomp with Stan): the differences of the folds
of every data set, with the correlation of the folds, and a Student distribution over the data sets
whose parameters are estimated too.
"""
    + _OUTCOMES,
}
WINS = r"""
Per data set: the mean over the folds of each loss. **Won**: the candidate's mean is higher by more
than the rope, **tied**: within the rope (exactly the rope too, to $10^{-9}$), **lost**: lower by
more. The paper counted ties as wins; here they stand apart."""
GROUPS = r"""
Data sets by the share of their smaller class: 60:40-70:30 means 30 to 40 % of the rows. Bars: mean
of candidate − baseline over the data sets of a group; whiskers: one standard deviation."""
RANKS = r"""
On every data set the losses are ranked, 1 is best, ties share their mean rank. Average ranks of two
losses show a difference (Nemenyi, at level 0.05) when they are more than the **critical
difference** apart:

$$CD = q_{0.05} \sqrt{\frac{k(k+1)}{6N}}$$

for $k$ losses on $N$ data sets (Demšar 2006)."""
