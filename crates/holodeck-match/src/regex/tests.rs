//! Corners that the vectors and the comparison with CPython do not show.
