//! Tests that are written out: whole runs of the program, hostile input, real suites, examples, transcripts.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod code_graders;
mod convfinqa;
mod examples;
mod grader_commands;
mod graders_found;
mod guides;
mod hostile;
mod hostile_graders;
mod interrupt;
mod models;
mod native_graders;
mod native_worker;
mod own_agents;
mod report;
mod report_page;
mod samples;
mod secrets;
mod streams;
mod transcripts;
