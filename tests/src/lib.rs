//! Whole-program tests of holodeck; the tests themselves are in `it/`.
