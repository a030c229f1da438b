//! Tests that are written out: whole runs of the program, hostile input, real suites, transcripts.
