//! Finds graders by reference (`module.path:function`) and runs them in processes of their own.
//!
//! A native grader is a function of a dynamic library that speaks [`holodeck_grader::abi`]. A program that runs native graders starts
//! [`native_worker_main`] in a process of its own and calls it over the worker's pipes; at its own risk it may also load a library
//! into itself with [`native::Library`].
//!
//! This crate knows no configuration, metrics or reports.

pub mod native;
mod protocol;

pub use native::native_worker_main;
