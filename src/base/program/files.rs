//! The files that the text of a program consists of.
//!
//! Origins are positions in one text. Where that text was read from several files, or has line markers
//! of a preprocessor, it consists of *parts*: each begins at some byte, and belongs to a file, whose
//! lines it continues at some number.

use std::sync::Arc;

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The first byte; always the start of a line.
    pub start: u32,
    /// The file that it comes from; `None` if it is the one that was given.
    pub file: Option<Arc<str>>,
    /// The number of its first line in that file.
    pub line: u32,
    /// The number of its first line in the whole text, from 1.
    pub first: u32,
}

/// Which part of a text comes from which file. A text that is one file has no parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Files {
    /// In the order of the text.
    parts: Arc<[Part]>,
    /// What the file that was given calls itself in its first line marker.
    presumed: Option<Arc<str>>,
}

impl Files {
    /// The files of a text with these parts, in any order.
    pub fn new(mut parts: Vec<Part>, presumed: Option<Arc<str>>) -> Self {
        parts.sort_by_key(|part| part.start);
        Self {
            parts: parts.into(),
            presumed,
        }
    }

    fn part(&self, at: usize) -> Option<&Part> {
        let before = self.parts.partition_point(|part| part.start as usize <= at);
        before.checked_sub(1).map(|index| &self.parts[index])
    }

    /// The number of a line in its file: of the line with this number in the whole text, in which this
    /// byte is.
    pub fn line(&self, at: usize, line: u32) -> u32 {
        self.part(at).map_or(line, |part| {
            part.line.saturating_add(line.saturating_sub(part.first))
        })
    }

    /// The file that a byte belongs to; `None` if it is the one that was given.
    pub fn name(&self, at: usize) -> Option<&str> {
        let file = self.part(at)?.file.as_ref()?;
        (self.presumed.as_ref() != Some(file)).then_some(file)
    }

    /// The last part of that name, if no other file's name ends with it.
    pub(crate) fn short(&self, at: usize) -> Option<&str> {
        let name = self.name(at)?;
        let short = name.rsplit(['/', '\\']).next()?;
        let mut others = self.parts.iter().filter_map(|part| part.file.as_deref());
        let alone = others.all(|other| other == name || !other.ends_with(short));
        Some(if alone { short } else { name })
    }

    /// What the file that was given calls itself in its first line marker.
    pub fn presumed(&self) -> Option<&str> {
        self.presumed.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_continue_where_a_part_says_and_the_given_file_has_no_name() {
        let part = |start, file: &str, line, first| Part {
            start,
            file: Some(Arc::from(file)),
            line,
            first,
        };
        let parts = vec![
            part(20, "b.h", 1, 5),
            part(0, "a.c", 1, 1),
            part(10, "a.c", 40, 3),
        ];
        let files = Files::new(parts, Some(Arc::from("a.c")));
        assert_eq!((files.line(3, 2), files.name(3)), (2, None));
        assert_eq!((files.line(12, 4), files.name(12)), (41, None));
        assert_eq!((files.line(25, 7), files.name(25)), (3, Some("b.h")));
        assert_eq!(files.short(25), Some("b.h"));
        let names = ["dir/b.h", "b.h", "dir/c.h"].into_iter().zip([0, 10, 20]);
        let files = Files::new(names.map(|(name, at)| part(at, name, 1, 1)).collect(), None);
        let shown = [0, 10, 20].map(|at| files.short(at));
        assert_eq!(shown, [Some("dir/b.h"), Some("b.h"), Some("c.h")]);
        let one = Files::default();
        assert_eq!((one.line(25, 7), one.name(25)), (7, None));
    }
}
