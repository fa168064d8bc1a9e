//! Fences: as statements, and before a value in the middle of an expression.

use super::ThreadDraft;
use crate::native::ast::FenceForm;
use crate::native::lower::InsertionPoint;
use crate::native::lower::graph::Node;
use crate::program::{Fence, Op};
use crate::text::{Diagnostic, Span};

impl<'a> ThreadDraft<'_, 'a> {
    /// The fence that a form denotes; reports an error if it is invalid.
    pub(super) fn fence(&mut self, form: &'a FenceForm, span: &Span) -> Option<Fence> {
        Some(match form {
            FenceForm::Full => Fence::Full,
            FenceForm::Store => Fence::Store,
            FenceForm::Cells(cells) => Fence::Cells(self.cells(cells)?),
            FenceForm::All => {
                if self.atomic {
                    self.scope.error(
                        Diagnostic::error("`barrier all` inside an atomic block", span.clone())
                            .label("no other thread can drain its buffer here"),
                    );
                }
                Fence::All
            }
        })
    }

    /// Fences before a value at this span, in order.
    pub(super) fn fences(&mut self, fences: &'a [(FenceForm, Span)], e: &Span, at: &mut Node) {
        for (i, (form, span)) in fences.iter().enumerate() {
            if let Some(fence) = self.fence(form, span) {
                self.step(at, Op::Fence(fence), span);
            }
            let next = fences.get(i + 1).map_or(e, |(_, next)| next);
            self.mark(InsertionPoint::Within(next.start), *at);
        }
    }
}
