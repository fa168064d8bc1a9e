//! `fencepost show`: the program as automata.

use super::driver::{OnlyOne, Product, unwritten};
use super::input::Input;
use super::program::ProgramArgs;
use super::values::{DrawTo, drawing, named};
use crate::formats::{Format, print_as};
use crate::program::PropertyKind;
use crate::report::draw::{self, Drawing};
use crate::report::{MessageFormat, dot, json, page};
use clap::Args;
use std::path::Path;

#[derive(Args, Clone, Debug)]
pub(super) struct Show {
    #[command(flatten)]
    program: ProgramArgs,
    /// Draw it into this file; its name ends with `.svg`, `.dot` or `.html`
    #[arg(long, value_name = "OUT", conflicts_with_all = ["dot", "svg", "form"], value_parser = drawing)]
    draw: Option<DrawTo>,
    /// Draw it on standard output, in DOT
    #[arg(long, hide = true, conflicts_with = "svg")]
    dot: bool,
    /// Draw it on standard output, as SVG
    #[arg(long, hide = true)]
    svg: bool,
    /// Print it in this format, as automata that can be parsed again
    #[arg(long = "as", default_value = "fence", value_name = "LANGUAGE", conflicts_with_all = ["dot", "svg"], value_parser = named(Format::PRINTED, Format::name))]
    form: Format,
    /// With a location for each position where a fence can be written: the program that `fence` is about
    #[arg(long)]
    positions: bool,
}

impl Show {
    /// The format of the drawing, if one is requested.
    fn drawing(&self) -> Option<Drawing> {
        match &self.draw {
            Some(draw) => Some(draw.format),
            None if self.dot => Some(Drawing::Dot),
            None => self.svg.then_some(Drawing::Svg),
        }
    }
}

impl Product for Show {
    const NAME: &'static str = "show";
    const DOING: &'static str = "drawing the program";

    fn program(&self) -> &ProgramArgs {
        &self.program
    }

    fn contradiction(&self) -> Option<&'static str> {
        let chosen = self.drawing().is_some() || self.form != Format::Fence;
        chosen.then_some(
            "`--json` is a form of its own: leave out `--draw`, `--dot`, `--svg` and `--as`",
        )
    }

    fn is_for_one(&self) -> Option<OnlyOne> {
        let (option, because) = match &self.draw {
            Some(_) => ("--draw", "writes one file"),
            None if self.dot => ("--dot", "prints one drawing"),
            None if self.svg => ("--svg", "prints one drawing"),
            None => return None,
        };
        Some(OnlyOne { option, because })
    }

    /// The automaton form, which can be parsed again, or a drawing.
    fn make(&self, input: &Input, format: MessageFormat) -> Result<String, Vec<String>> {
        let apart = self.positions.then(|| input.with_positions_apart());
        let input = apart.as_ref().unwrap_or(input);
        match format {
            MessageFormat::Text | MessageFormat::Sarif | MessageFormat::Github => {}
            MessageFormat::Json => {
                return json::program(&input.source()).map_err(|error| unwritten(&error));
            }
        }
        let program = &input.program;
        match self.drawing() {
            None => {}
            Some(Drawing::Dot) => return Ok(dot::automata(program)),
            Some(Drawing::Svg) => return Ok(draw::file(&draw::automata(&input.source()))),
            Some(Drawing::Html) => return Ok(page::automata(&input.source())),
        }
        print_as(self.form, &input.program).map_err(|unprintable| {
            let head = format!("this program cannot be printed as `{}`:", self.form);
            let parts = unprintable.into_iter();
            let parts = parts.map(|what| format!("{}: {what}", input.file));
            [head].into_iter().chain(parts).collect()
        })
    }

    fn out(&self) -> &Path {
        self.draw.as_ref().map_or(Path::new("-"), |draw| &draw.path)
    }

    /// Warnings about observations that the format cannot express.
    fn remarks(&self, input: &Input) -> Vec<String> {
        if self.drawing().is_some() {
            return Vec::new();
        }
        let (file, form) = (&input.file, self.form);
        let mut remarks = Vec::new();
        if !input.program.limits().is_empty() {
            remarks.push(format!(
                "warning: {file}: values that may leave 32 bits are printed as `property`, where the \
                 analysis stops"
            ));
        }
        let says_observations = match form {
            Format::Fence | Format::Litmus | Format::LitmusC | Format::C | Format::Rust => true,
            Format::Trencher => false,
        };
        if !says_observations {
            let properties = input.program.properties().iter();
            let observed = properties.filter(|property| property.kind == PropertyKind::Exists);
            remarks.extend(observed.map(|property| {
                let line = property.origin.line;
                format!("warning: {file}: line {line}: `{form}` has no `exists`; it is left out")
            }));
        }
        remarks
    }
}
