"""How much a data set may hold: the one place where sizes are decided.

Every limit is checked before the costly step it guards. The largest table of the paper (its
credit-card file, 568,630 x 31 and about 330 MB as CSV) must fit.
"""

MEGABYTE = 1024 * 1024

FILE_BYTES = 400 * MEGABYTE  # as uploaded; server.maxUploadSize says the same in megabytes
UNPACKED_BYTES = 1024 * MEGABYTE  # after gzip or zip
EXPANSION = 200  # unpacked over packed; real tables reach about 20, zip bombs over 1,000
EXPANSION_FREE = 16 * MEGABYTE  # small files may expand as they like
ROWS = 2_000_000
COLUMNS = 2_000
CELLS = 60_000_000  # half a gigabyte as float64
EXCEL_CELLS = 4_000_000  # of a sheet; openpyxl reads about 150,000 a second
ZIP_MEMBERS = 2_000

CLASSES = 100  # a target with more values than this is not a class label
NUMBERS = 20  # nor, unless somebody asks for it, are numbers with more values: an age, a year
LEVELS = 20  # one-hot columns of one category; the others share the column 'rare'
RARE_SHARE = 0.01  # a level seen in fewer training rows joins 'rare'
