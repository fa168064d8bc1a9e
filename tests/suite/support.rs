//! Shared by several test modules: generators, oracles, and the start of processes.

pub mod alike;
pub mod automata;
pub mod buffers;
pub mod c_programs;
pub mod c_threads;
pub mod c_views;
pub mod config;
pub mod copies;
pub mod drafts;
pub mod drawn;
pub mod drawn_numbers;
pub mod drawn_rust;
pub mod features;
pub mod limit;
pub mod lists;
pub mod meeting;
pub mod outside;
pub mod patches;
pub mod probes;
pub mod process;
pub mod random;
pub mod regress;
pub mod sarif;
pub mod twins;
pub mod waiting;
pub mod witnesses;
