//! Readings of scalars.
