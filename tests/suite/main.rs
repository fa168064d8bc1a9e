//! The integration tests: the house rules, the reference, the encoding against it, robustness, fences,
//! the parsers, and the command line.
//!
//! They share one binary, since each binary links the whole crate. Two tests have their own: `corpus`,
//! which makes a test of each expectation, and `cli_limits`, whose processes need the whole machine.

#![allow(unreachable_pub, reason = "modules of one binary")]

mod support;

mod agree;
mod analysis_laws;
mod any_classes;
mod any_created;
mod any_number;
mod any_reports;
mod any_tid;
mod automata;
mod barriers;
mod blocks;
mod c_evidence;
mod c_fences;
mod c_files;
mod c_litmus;
mod c_macros;
mod c_memory;
mod c_operands;
mod c_races;
mod c_semantics;
mod c_threads;
mod c_twins;
mod c_views;
mod c_waits;
mod certificates;
mod certificates_described;
mod certificates_inductive;
mod certificates_views;
mod cli;
mod cli_advice;
mod cli_fence;
mod cli_files;
mod cli_formats;
mod cli_json;
mod cli_lazy;
mod cli_programs;
mod cli_terminal;
mod cli_waits;
mod clusters;
mod components;
mod direct;
mod directed;
mod documents;
mod drat;
mod drawings;
mod edges;
mod english;
mod explicit_laws;
mod explicit_litmus;
mod families;
mod fences;
mod guide;
mod hopeless;
mod induction;
mod labels;
mod lazy;
mod litmus;
mod lookahead;
mod mentions;
mod pages;
mod pairs;
mod parts;
mod paused;
mod persistent;
mod positions;
mod published;
mod race_laws;
mod readers;
mod reasons;
mod robust_oracle;
mod robustness;
mod rust_compiled;
mod rust_parking;
mod rust_programs;
mod rust_real;
mod rust_twins;
mod shards;
mod short_forms;
mod short_runs;
mod skips;
mod slices;
mod solver_command;
mod stuck;
mod symmetry;
mod tidy;
mod together;
mod too_late;
mod trencher;
mod watch;
