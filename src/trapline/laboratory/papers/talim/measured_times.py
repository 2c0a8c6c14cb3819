"""Processing times as a live robot measured them: 7,608 answers of `trapline demo --pages 2000
--hosts 40 --seconds 60` on 2026-11-19, on two cores shared with other work.

Mean 1.5 ms, spread (variance by squared mean) 15.2: most take a millisecond, and now and then one
waits for a commit. Of the sorted times, in units of their mean, 200 blocks of equal number are kept
by their means; that leaves a spread of 4.1, and a tail that is shorter than it was.

>>> len(MEASURED), round(float(MEASURED.mean()), 1), round(float(MEASURED.var()), 1)
(200, 1.0, 4.1)
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_TIMES: Final = """
0.0975 0.113 0.124 0.137 0.149 0.156 0.162 0.169 0.174 0.179 0.183 0.187
0.191 0.196 0.201 0.206 0.211 0.215 0.22 0.225 0.231 0.237 0.243 0.25 0.256
0.262 0.267 0.274 0.281 0.287 0.293 0.299 0.305 0.31 0.316 0.321 0.326 0.331
0.335 0.34 0.344 0.349 0.354 0.357 0.361 0.365 0.369 0.373 0.376 0.38 0.384
0.388 0.391 0.394 0.398 0.401 0.405 0.409 0.413 0.416 0.419 0.423 0.426 0.43
0.433 0.436 0.44 0.443 0.447 0.45 0.453 0.457 0.461 0.465 0.469 0.472 0.476
0.48 0.483 0.487 0.49 0.494 0.497 0.501 0.504 0.508 0.512 0.516 0.52 0.524
0.528 0.533 0.537 0.541 0.545 0.549 0.552 0.557 0.562 0.568 0.574 0.579
0.585 0.591 0.596 0.601 0.606 0.611 0.616 0.621 0.626 0.631 0.637 0.643 0.65
0.656 0.664 0.67 0.676 0.682 0.689 0.696 0.702 0.708 0.715 0.72 0.728 0.736
0.744 0.752 0.761 0.768 0.778 0.786 0.797 0.805 0.816 0.826 0.836 0.846
0.856 0.866 0.877 0.891 0.903 0.917 0.932 0.947 0.96 0.971 0.982 0.999 1.01
1.02 1.04 1.05 1.07 1.09 1.12 1.14 1.16 1.18 1.21 1.23 1.25 1.27 1.29 1.32
1.34 1.37 1.4 1.43 1.46 1.51 1.55 1.59 1.65 1.7 1.76 1.83 1.89 1.95 2.02
2.09 2.17 2.3 2.44 2.55 2.69 2.88 3.04 3.25 3.43 3.67 3.99 4.35 4.8 5.39 6.7
26.2
"""
MEASURED: Final[NDArray[np.float64]] = np.array(_TIMES.split(), dtype=np.float64)
