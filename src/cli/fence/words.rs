//! Parsers for the costs, kinds and aims of fences on the command line.

use crate::cli::input::{self, Input};
use crate::fences::{Costs, Cycles, Kinds};
use crate::program::{Aim, FenceKind};
use crate::report::Idiom;
use std::path::Path;

/// The costs of fences: `unit`, `loops`, `x86`, or the contents of a file. In assembly a full fence is an
/// `mfence`.
pub(super) fn costs(word: &str, input: &Input, idiom: Option<Idiom>) -> Result<Costs, String> {
    let x86 = |loops: bool| {
        let idiom = idiom.or(input.format.idiom(input.own_text()));
        Costs::X86(Cycles {
            mfence: idiom == Some(Idiom::Asm),
            loops,
        })
    };
    match word {
        "x86" => Ok(x86(false)),
        "x86,loops" | "loops,x86" => Ok(x86(true)),
        "unit" => Ok(Costs::Unit),
        "loops" => Ok(Costs::Loops),
        file => {
            let bytes = input::bytes(Path::new(file))?;
            let text = String::from_utf8_lossy(&bytes);
            Costs::read(&text, &input.program)
                .map_err(|(line, message)| format!("{file}:{line}: {message}"))
        }
    }
}

/// `full`, `store=2`, …
fn kind(text: &str) -> Result<(FenceKind, u32), String> {
    let (name, factor) = match text.split_once('=') {
        Some((name, factor)) => {
            let factor = factor
                .parse()
                .ok()
                .filter(|factor: &u32| (1..=10_000).contains(factor));
            let factor = factor.ok_or("expected a factor from 1 to 10000, as in `store=2`")?;
            (name, factor)
        }
        None => (text, 1),
    };
    let kind = match name {
        "full" => FenceKind::Full,
        "store" => FenceKind::Store,
        "xchg" => FenceKind::Exchange,
        _ => {
            return Err(format!(
                "unknown kind `{name}`: expected full, store or xchg"
            ));
        }
    };
    Ok((kind, factor))
}

/// `full,store=2,xchg`
pub(super) fn kinds(text: &str) -> Result<Kinds, String> {
    let mut kinds: Vec<(FenceKind, u32)> = Vec::new();
    for part in text.split(',') {
        let (kind, factor) = kind(part.trim())?;
        if kinds.iter().any(|&(known, _)| known == kind) {
            return Err(format!("`{text}` names a kind twice"));
        }
        kinds.push((kind, factor));
    }
    Ok(Kinds(kinds))
}

/// `robustness` or `assertions`
pub(super) fn aim(text: &str) -> Result<Aim, String> {
    match text {
        "robustness" => Ok(Aim::Robustness),
        "assertions" => Ok(Aim::Assertions),
        _ => Err(format!(
            "unknown aim `{text}`: expected robustness or assertions"
        )),
    }
}
