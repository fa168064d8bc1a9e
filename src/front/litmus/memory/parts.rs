//! Locations in parts: the cells of a test whose accesses differ in size.
//!
//! ```text
//!   movl (x)      |-------------------|             x+0  x+1  x+2        three cells; a byte each, and two bytes
//!   movb 1(x)          |----|
//! ```
//!
//! The parts of a location are the common refinement of all accesses to it, of the elements of arrays, and of
//! halves of 64 bits. So each access consists of whole cells, and each cell is within 32 bits. A part of 32 bits
//! holds them as they are, and a smaller one holds a number without sign. x86 is little-endian: the first part has
//! the least significant bits.
//!
//! An access is atomic on the machine if its address is a multiple of its size, and only then: others may be cut
//! in two by the border of a cache line. They are rejected. Locations are aligned.
//!
//! **Absent.** Addresses in parts, and parts of locations whose addresses are stored or computed with: such a
//! location is one cell per element.

use super::{Access, Memory, Region, Value};
use crate::litmus::types::Size;
use crate::program::Addr;
use crate::text::{Diagnostic, Span};
use std::collections::BTreeSet;

/// A part of a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::litmus) struct Part {
    /// Its first byte, counted from that of the location.
    pub(in crate::litmus) offset: u32,
    /// How many bytes it has: at most 4, or 8 if it holds an address.
    pub(in crate::litmus) bytes: u32,
    /// Where it is.
    pub(in crate::litmus) cell: Addr,
}

/// How a location is cut.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The size of its elements in bytes; its own if it is no array.
    element: u32,
    parts: Vec<Part>,
}

impl Cut {
    /// The first cell: every region has one, as it has an element.
    pub(super) fn first(&self) -> Addr {
        self.parts[0].cell
    }
}

/// What a location's cells have to allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::litmus) enum Use {
    /// Any accesses by its name.
    Numbers,
    /// It holds addresses.
    Addresses,
    /// It holds numbers, and its own address is stored or computed with.
    Taken,
}

/// A number as the bits of an integer of this size.
///
/// # Errors
///
/// If they are not enough, with or without a sign.
pub(in crate::litmus) fn bits(number: i64, bytes: u32) -> Result<u64, String> {
    let (least, most) = (-1i128 << (8 * bytes - 1), (1i128 << (8 * bytes)) - 1);
    if !(least..=most).contains(&number.into()) {
        return Err(format!("{number} does not fit in {} bits", 8 * bytes));
    }
    Ok(number as u64 & most as u64)
}

/// So many bytes of a number's bits from this one on, as a cell holds them.
pub(in crate::litmus) fn part(bits: u64, first: u32, bytes: u32) -> i32 {
    let mask = u64::MAX >> (64 - 8 * bytes.min(4));
    (bits >> (8 * first) & mask) as u32 as i32
}

impl Region {
    /// The size of its elements in bytes: as declared; otherwise that of the widest access, and a location that
    /// is no array contains all accesses to it.
    fn element(&self) -> u32 {
        if let Some((kind, _)) = &self.declared {
            return kind.size().bytes();
        }
        let end = |access: &Access| {
            let bytes = access.size.bytes();
            let offset = if self.array { 0 } else { access.offset };
            u32::try_from(offset).map_or(bytes, |offset| offset.saturating_add(bytes))
        };
        let most = self.accesses.iter().map(end).max();
        // Nothing is wider, so what is further away is reported.
        most.map_or(4, |most| most.min(8).next_power_of_two())
    }

    /// Why an access cannot be expressed.
    fn defect(&self, access: &Access, element: u32, of: Use) -> Option<&'static str> {
        let bytes = i64::from(access.size.bytes());
        let total = i64::from(element) * self.init.len() as i64;
        let is_whole = access.size.bytes() == element;
        if access.offset < 0 || access.offset > total - bytes {
            return Some("this access is not within the location");
        }
        if access.offset % bytes != 0 {
            return Some("this access is not aligned");
        }
        match of {
            Use::Addresses if !is_whole => Some("an address is accessed in parts"),
            Use::Taken if !is_whole => Some("the location is also accessed by computed addresses"),
            Use::Taken if element > 4 => {
                Some("64 bits at a computed address, in a test with accesses of several sizes")
            }
            Use::Numbers | Use::Addresses | Use::Taken => None,
        }
    }

    /// The bounds of its parts in bytes.
    fn bounds(&self, element: u32, of: Use) -> Vec<u32> {
        let total = element * self.init.len() as u32;
        let step = match of {
            Use::Numbers => element.min(4),
            Use::Addresses | Use::Taken => element,
        };
        let mut bounds: BTreeSet<u32> = (0..=total).step_by(step as usize).collect();
        for access in &self.accesses {
            let first = access.offset as u32;
            bounds.extend([first, first + access.size.bytes()]);
        }
        bounds.into_iter().collect()
    }
}

impl Memory {
    /// Cuts all locations, each as its use allows. Reports accesses that cannot be expressed.
    pub(in crate::litmus) fn cut(&mut self, uses: &[Use], diagnostics: &mut Vec<Diagnostic>) {
        let mut cells = 0;
        for (region, of) in self.regions.iter().zip(uses) {
            let element = region.element();
            for access in &region.accesses {
                if let Some(message) = region.defect(access, element, *of) {
                    let error = Diagnostic::error(message, access.span.clone());
                    let size = access.size.bytes();
                    let label = format!("{size} bytes at offset {}", access.offset);
                    let all = element * region.init.len() as u32;
                    let note = format!("`{}` has {all} bytes", region.name);
                    diagnostics.push(error.label(label).note(note));
                    return;
                }
            }
            let bounds = region.bounds(element, *of);
            let parts = bounds.windows(2).enumerate().map(|(at, bound)| Part {
                offset: bound[0],
                bytes: bound[1] - bound[0],
                cell: Addr::from_index(cells + at),
            });
            let parts: Vec<Part> = parts.collect();
            cells += parts.len();
            self.cuts.push(Cut { element, parts });
        }
        self.cells = cells;
        self.check_cells(diagnostics);
    }

    /// Whether locations may have several parts.
    pub(in crate::litmus) fn is_cut(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// The size of a location's elements in bytes. Requires that it was cut.
    pub(in crate::litmus) fn element_bytes(&self, region: usize) -> u32 {
        self.cuts[region].element
    }

    /// The parts of an access. Requires that it was recorded, or is that of an element.
    pub(in crate::litmus) fn parts(&self, region: usize, first: u32, bytes: u32) -> &[Part] {
        let parts = &self.cuts[region].parts;
        let from = parts.partition_point(|part| part.offset < first);
        let to = parts.partition_point(|part| part.offset < first + bytes);
        &parts[from..to]
    }

    /// Whether accesses of two sizes to one location, or a size that is not the declared one, were recorded.
    pub(in crate::litmus) fn is_mixed(&self) -> bool {
        let mixed = |region: &Region| region.sizes().is_some_and(|sizes| sizes.1.is_some());
        self.regions.iter().any(mixed)
    }

    /// The size of accesses to a location that do not say theirs, if there is only one.
    pub(in crate::litmus) fn only_size(&self, region: usize) -> Option<Size> {
        let region = &self.regions[region];
        if let Some((kind, _)) = &region.declared {
            return Some(kind.size());
        }
        let mut sizes = region.accesses.iter().map(|access| access.size);
        let first = sizes.next().unwrap_or(Size::Long);
        sizes.all(|size| size == first).then_some(first)
    }

    /// The initial values of a location's parts, and the names of their cells. Reports values that do not fit.
    pub(super) fn initial_parts(
        &self,
        at: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<(String, i32)> {
        let (region, cut) = (&self.regions[at], &self.cuts[at]);
        let mut values = Vec::new();
        for (number, (value, span)) in region.init.iter().enumerate() {
            let first = number as u32 * cut.element;
            let bits = self.bits(value, cut.element, span, diagnostics);
            for piece in self.parts(at, first, cut.element) {
                let name = if cut.parts.len() == 1 {
                    region.name.clone()
                } else {
                    format!("{}+{}", region.name, piece.offset)
                };
                values.push((name, part(bits, piece.offset - first, piece.bytes)));
            }
        }
        values
    }

    fn bits(
        &self,
        value: &Value,
        bytes: u32,
        span: &Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> u64 {
        let bits = match value {
            Value::Number(number) => bits(*number, bytes),
            Value::Address(_) => self.value(value, Size::Quad).map(|value| value as u64),
        };
        bits.unwrap_or_else(|message| {
            diagnostics.push(Diagnostic::error(message, span.clone()));
            0
        })
    }
}
