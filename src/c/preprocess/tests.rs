//! Tests of preprocessing.
