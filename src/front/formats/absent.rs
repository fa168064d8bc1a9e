//! The front end in the place of one that this build leaves out: everything is an error that names the feature.

use crate::program::{Change, Origin, Program};
use crate::text::{
    Diagnostic, FrontEnd, ParseOptions, Parsed, Rewritten, Unprintable, Unwritable, unwritable,
};

/// The front end of a language that needs this feature.
pub(super) struct Absent {
    /// The feature of the package.
    pub(super) feature: &'static str,
}

impl Absent {
    /// Why nothing is read or written.
    fn why(&self) -> String {
        let Absent { feature } = self;
        format!(
            "Fencepost was built without this language: its dependency `fencepost` needs `features = [\"{feature}\"]`"
        )
    }
}

impl FrontEnd for Absent {
    fn begins(&self, _: &str) -> bool {
        false
    }

    /// The options are not what is wrong.
    fn has_preprocessor(&self) -> bool {
        true
    }

    fn has_builds(&self) -> bool {
        true
    }

    fn parse(&self, _: &str, _: &ParseOptions) -> Parsed {
        Parsed::failed(Diagnostic::error(self.why(), 0..0))
    }

    fn rewrite(
        &self,
        text: &str,
        _: &ParseOptions,
        program: &Program,
        changes: &[Change],
    ) -> Result<Rewritten, Unwritable> {
        match changes.first() {
            Some(first) => Err(unwritable(program, first, self.why())),
            None => Ok(text.to_owned().into()),
        }
    }

    fn print(&self, _: &Program) -> Result<String, Vec<Unprintable>> {
        Err(vec![Unprintable {
            origin: Origin::default(),
            why: self.why(),
        }])
    }
}
