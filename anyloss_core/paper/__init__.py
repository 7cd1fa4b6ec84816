"""The paper's tables as CSV, and what it takes to compute them again.

`names` translates the paper's names into our spellings, `tables` reads the published figures,
the other modules recompute one table each and `reproduce` runs them.
"""
