//! The cells that any part of a test refers to.
//!
//! A cell holds a single value. Tests in C whose accesses to one cell differ in size, or whose declared type has
//! another size, are rejected, because one access would read in parts what the other wrote; those in assembly have
//! several cells per location then (`parts`). Addresses are assigned in order of first mention.

pub(super) mod parts;

use super::types::{Size, Type};
use crate::program::{Addr, ProgramBuilder};
use crate::text::{Diagnostic, Span, nearest};
use parts::Cut;
use std::collections::BTreeMap;

/// A test has at most this many cells.
const MOST_CELLS: usize = 10_000;

/// A value of the initial state or of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// A number.
    Number(i64),
    /// The address of this cell, or of its first element.
    Address(String),
}

/// A name and its cells.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) name: String,
    /// Its initial values, with their spans; one per cell.
    pub(super) init: Vec<(Value, Span)>,
    pub(super) array: bool,
    pub(super) declared: Option<(Type, Span)>,
    accesses: Vec<Access>,
    /// Where it is first mentioned.
    pub(super) mention: Span,
    /// Whether some thread's code or the initial state uses it.
    pub(super) used: bool,
}

/// An access to a location by its name.
#[derive(Clone, Debug)]
struct Access {
    size: Size,
    /// In bytes.
    offset: i64,
    span: Span,
}

impl Region {
    /// Its size by declaration or first access, and another one, if there is one.
    fn sizes(&self) -> Option<(Sized<'_>, Option<Sized<'_>>)> {
        let declared = self.declared.as_ref();
        let declared = declared.map(|(kind, span)| Sized(kind.size(), span, "declared"));
        let accessed = self.accesses.iter();
        let accessed = accessed.map(|access| Sized(access.size, &access.span, "accessed"));
        let mut all = declared.into_iter().chain(accessed);
        let first = all.next()?;
        let other = all.find(|other| other.0 != first.0);
        Some((first, other))
    }
}

/// A size, its place, and how it is given there.
struct Sized<'r>(Size, &'r Span, &'static str);

/// All shared variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    regions: Vec<Region>,
    index: BTreeMap<String, usize>,
    bases: Vec<i32>,
    cells: usize,
    /// How each region is cut; empty if each of its elements is a cell.
    cuts: Vec<Cut>,
}

impl Memory {
    /// The region with this name, which is one cell with value 0 unless it was declared.
    pub(super) fn mention(&mut self, name: &str, span: &Span) -> usize {
        if let Some(&region) = self.index.get(name) {
            return region;
        }
        self.declare(
            name,
            vec![(Value::Number(0), span.clone())],
            false,
            None,
            span,
        )
    }

    /// A new region. Requires that the name is new and `init` is not empty.
    pub(super) fn declare(
        &mut self,
        name: &str,
        init: Vec<(Value, Span)>,
        array: bool,
        declared: Option<(Type, Span)>,
        span: &Span,
    ) -> usize {
        let region = self.regions.len();
        self.bases.push(self.cells as i32);
        self.cells += init.len();
        self.regions.push(Region {
            name: name.to_owned(),
            init,
            array,
            declared,
            accesses: Vec::new(),
            mention: span.clone(),
            used: false,
        });
        self.index.insert(name.to_owned(), region);
        region
    }

    /// The region with this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    pub(super) fn region(&self, region: usize) -> &Region {
        &self.regions[region]
    }

    pub(super) fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The name most similar to this one.
    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.regions.iter().map(|region| region.name.as_str()))
    }

    /// Records that the code or the initial state uses a region.
    pub(super) fn mark_used(&mut self, region: usize) {
        self.regions[region].used = true;
    }

    /// Records the size of an access to a cell.
    pub(super) fn access(&mut self, region: usize, size: Size, span: &Span) {
        self.access_at((region, 0), size, span);
    }

    /// Records the size of an access to a region at this offset in bytes.
    pub(super) fn access_at(&mut self, (region, offset): (usize, i64), size: Size, span: &Span) {
        let span = span.clone();
        self.regions[region]
            .accesses
            .push(Access { size, offset, span });
    }

    /// The size of a region's cells: as declared, otherwise as accessed, otherwise 32 bits.
    pub(super) fn size(&self, region: usize) -> Size {
        let region = &self.regions[region];
        let declared = region.declared.as_ref().map(|(kind, _)| kind.size());
        let accessed = region.accesses.first().map(|access| access.size);
        declared.or(accessed).unwrap_or(Size::Long)
    }

    /// Reports cells that are accessed with two sizes.
    pub(super) fn check_sizes(&self, diagnostics: &mut Vec<Diagnostic>) {
        for region in &self.regions {
            if let Some((Sized(size, place, how), Some(Sized(other, span, _)))) = region.sizes() {
                diagnostics.push(
                    Diagnostic::error(
                        format!("`{}` is accessed with two sizes", region.name),
                        span.clone(),
                    )
                    .label(format!("{} bytes here", other.bytes()))
                    .other(
                        place.clone(),
                        format!("{how} with {} bytes here", size.bytes()),
                    )
                    .note("a variable holds a single value, so mixed sizes are not supported"),
                );
            }
        }
        self.check_cells(diagnostics);
    }

    /// Reports too many cells.
    pub(super) fn check_cells(&self, diagnostics: &mut Vec<Diagnostic>) {
        if self.cells > MOST_CELLS {
            let span = self
                .regions
                .last()
                .map_or(0..0, |region| region.mention.clone());
            let message = format!("the test has more than {MOST_CELLS} memory cells");
            diagnostics.push(Diagnostic::error(message, span));
        }
    }

    /// The address of a region's first cell.
    pub(super) fn address(&self, region: usize) -> Addr {
        match self.cuts.get(region) {
            Some(cut) => cut.first(),
            None => Addr::from_index(self.bases[region] as usize),
        }
    }

    /// A value as the program's cells and registers represent it, with this size.
    ///
    /// # Errors
    ///
    /// If it cannot be represented.
    pub(super) fn value(&self, value: &Value, size: Size) -> Result<i32, String> {
        match value {
            Value::Number(number) => size.value(*number),
            Value::Address(name) => self
                .find(name)
                .map(|region| self.address(region).0)
                .ok_or_else(|| format!("unknown shared variable `{name}`")),
        }
    }

    /// The initial values of each region's cells. Reports values that do not fit.
    pub(super) fn values(&self, diagnostics: &mut Vec<Diagnostic>) -> Vec<Vec<i32>> {
        let regions = self.regions.iter().enumerate();
        regions
            .map(|(at, region)| {
                let size = self.size(at);
                let init = region.init.iter().map(|(value, span)| {
                    self.value(value, size).unwrap_or_else(|message| {
                        diagnostics.push(Diagnostic::error(message, span.clone()));
                        0
                    })
                });
                init.collect()
            })
            .collect()
    }

    /// Declares everything in the program. Reports values that do not fit.
    pub(super) fn build(&self, builder: &mut ProgramBuilder, diagnostics: &mut Vec<Diagnostic>) {
        if self.is_cut() {
            for region in 0..self.regions.len() {
                for (name, value) in self.initial_parts(region, diagnostics) {
                    builder.cell(name, value);
                }
            }
            return;
        }
        for (region, init) in self.regions.iter().zip(self.values(diagnostics)) {
            if region.array {
                builder.array(region.name.clone(), init);
            } else {
                builder.cell(region.name.clone(), init[0]);
            }
        }
    }
}
