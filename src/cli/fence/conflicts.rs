//! Arguments of `fence` that exclude each other.

use super::Fence;
use crate::cli::Global;
use crate::fences::Algorithm;
use crate::fences::pairs::PairAlgorithm;
use crate::model::Model;
use crate::program::Aim;
use std::path::Path;

/// An error message, if no algorithm supports this combination of arguments.
pub(super) fn of_algorithm(arguments: &Fence) -> Option<String> {
    let name = arguments.algorithm.name();
    match (arguments.algorithm, arguments.aim) {
        (Algorithm::Pairs(_), Aim::Robustness) => {
            Some(format!("`--algorithm {name}` requires `--for assertions`"))
        }
        (Algorithm::Pairs(_), Aim::Assertions) if arguments.minimise || arguments.all => {
            Some(format!(
                "`--algorithm {name}` does not support `--all` and `--minimise`; `--algorithm \
                 hitting-set` does"
            ))
        }
        (Algorithm::Ilp, Aim::Assertions) => {
            Some("`--algorithm ilp` requires `--for robustness`".to_owned())
        }
        (Algorithm::Ilp, Aim::Robustness) if arguments.all => Some(
            "`--algorithm ilp` does not support `--all`; `--algorithm hitting-set` does".to_owned(),
        ),
        (Algorithm::Auto | Algorithm::HittingSet | Algorithm::Ilp | Algorithm::Pairs(_), _) => None,
    }
}

/// An error message, if these arguments exclude each other.
pub(super) fn of_options(arguments: &Fence, models: &[Model], global: &Global) -> Option<String> {
    let written = arguments.write.as_deref();
    let bounded = match arguments.algorithm {
        Algorithm::Pairs(PairAlgorithm::Robmc | PairAlgorithm::RobmcEt) => true,
        Algorithm::Pairs(PairAlgorithm::Te | PairAlgorithm::Fi)
        | Algorithm::Auto
        | Algorithm::HittingSet
        | Algorithm::Ilp => false,
    };
    if arguments.program.reads_standard_input() && arguments.cost == "-" {
        Some("the program and `--cost` cannot both be read from standard input".to_owned())
    } else if written.is_some() && models.len() > 1 {
        Some("`--write` requires a single `--model`".to_owned())
    } else if written == Some(Path::new("-")) && !global.message_format().is_for_people() {
        let format = global.message_format_option();
        Some(format!(
            "`--write -` and `{format}` cannot both use standard output"
        ))
    } else if !bounded && (arguments.k1.is_some() || arguments.k2.is_some()) {
        Some("`--k1` and `--k2` require `--algorithm robmc` or `robmc-et`".to_owned())
    } else if let (Some(k1), Some(k2)) = (arguments.k1, arguments.k2)
        && k1 > k2
    {
        Some(format!("`--k1 {k1}` is greater than `--k2 {k2}`"))
    } else {
        None
    }
}
