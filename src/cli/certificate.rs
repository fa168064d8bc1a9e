//! `--certificate OUT`: what others can check, written beside the answer.

use super::exit::Exit;
use super::limits::{Ended, Limits};
use super::{output, streams};
use crate::certificate::Certificate;
use crate::model::Model;
use crate::report::Certified;
use crate::verdict::{Budget, Defect};
use std::path::{Path, PathBuf};

/// A certificate and the name of its file.
pub(super) struct Requested {
    path: PathBuf,
    name: String,
    certificate: Certificate,
}

/// Makes the certificate within the limits, if one is requested.
///
/// # Errors
///
/// The exit code, if Fencepost has a defect; it has been reported.
pub(super) fn requested(
    path: Option<&Path>,
    limits: Limits,
    make: impl FnOnce(&Budget) -> Result<Certificate, Defect> + Send + 'static,
) -> Result<Option<Requested>, Exit> {
    let Some(path) = path else {
        return Ok(None);
    };
    let certificate = match limits.run(make) {
        Ended::Answered(Ok(certificate)) => certificate,
        Ended::Stopped(Ok(made @ Certificate::Made { .. }), _) => made,
        Ended::Stopped(Ok(Certificate::None(_)), reason) | Ended::Abandoned(reason) => {
            Certificate::None(reason.to_string())
        }
        Ended::Answered(Err(defect)) | Ended::Stopped(Err(defect), _) => {
            streams::report_defect(&defect);
            return Err(Exit::Internal);
        }
        Ended::Panicked => return Err(Exit::Internal),
    };
    Ok(Some(Requested {
        path: path.to_owned(),
        name: path.display().to_string(),
        certificate,
    }))
}

impl Requested {
    /// The certificate for a report.
    pub(super) fn shown(&self) -> Certified<'_> {
        Certified {
            file: &self.name,
            certificate: &self.certificate,
        }
    }

    /// Writes the file, if there is a certificate.
    pub(super) fn write(&self) -> Exit {
        match &self.certificate {
            Certificate::Made { text, .. } => output::write(&self.path, text),
            Certificate::None(_) => Exit::Holds,
        }
    }
}

/// Writes the file, if a certificate was requested and made.
pub(super) fn write(requested: Option<&Requested>) -> Exit {
    requested.map_or(Exit::Holds, Requested::write)
}

/// An error message, if several certificates would be written into one file.
pub(super) fn is_for_one(path: Option<&Path>, models: &[Model]) -> Option<String> {
    let several = path.is_some() && models.len() > 1;
    several.then(|| "`--certificate` requires a single `--model`".to_owned())
}
