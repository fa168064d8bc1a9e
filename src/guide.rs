//! The guide: what users need to know, a page for each topic.
//!
//! `fencepost help TOPIC` prints a page. Its programs and transcripts are tests
//! (`tests/suite/guide.rs`).

mod terminal;

pub(crate) use terminal::Layout;

/// Declares the pages, from the table of topics.
macro_rules! pages {
    ($($(#[doc = $about:literal])+ $name:ident,)+) => {
        $(
            pub mod $name {
                // An inner attribute: links are resolved from within the page.
                #![doc = include_str!(concat!("guide/", stringify!($name), ".md"))]
            }
        )+

        /// All pages, in the order in which to read them.
        pub(crate) const PAGES: &[Page] = &[$(Page {
            name: stringify!($name),
            about: concat!($($about),+),
            text: include_str!(concat!("guide/", stringify!($name), ".md")),
        },)+];
    };
}

/// A page.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    /// What it is about, in a few words.
    pub(crate) about: &'static str,
    text: &'static str,
}

impl Page {
    /// The page laid out for a terminal.
    pub(crate) fn on_terminal(&self, layout: Layout) -> String {
        terminal::rendered(&self.plain(), layout)
    }

    /// The text as it is in the sources, for other programs: after a link to another page, the command that prints it.
    pub(crate) fn plain(&self) -> String {
        const TARGET: &str = "](super::";
        let mut plain = String::new();
        let mut rest = self.text;
        while let Some((before, after)) = rest.split_once(TARGET) {
            let (lead, words) = before.rsplit_once('[').unwrap_or((before, ""));
            let (page, after) = after.split_once(')').unwrap_or((after, ""));
            let parts = [lead, words, " (`fencepost help ", page, "`)"];
            plain.extend(parts);
            rest = after;
        }
        plain.push_str(rest);
        plain
    }
}

pages! {
    /// a program that breaks, why, and how to repair it, in ten minutes
    tutorial,
    /// the language: declarations, statements, fences, properties, expectations
    language,
    /// input formats: Trencher's automata, litmus tests, and how they are detected
    formats,
    /// C programs with threads: what is read, what it means, what is refused
    c,
    /// tests of Rust on atomics and locks: what is read, what it means, what is refused
    rust,
    /// ten tests of Rust in loom, shuttle and Fencepost: who says what
    peers,
    /// which functions of C, compilers and the kernel drain store buffers, path by path
    barriers,
    /// accesses of different sizes: lock words with bytes in them, numbers of 64 bits
    words,
    /// what happens-before cycles are, and their names: SB, MP, R, 2+2W
    cycles,
    /// whether store buffering adds any behaviour; the lazy engine
    robustness,
    /// threads in any number of copies: `thread w[*]`
    any,
    /// threads that wait forever, as a property
    waiting,
    /// the cheapest fences: answers, options, places
    fences,
    /// evidence that others can check with a small program, and what it proves
    certificates,
    /// options of all commands, exit codes, JSON, SARIF, annotations
    output,
    /// a folder of programs in continuous integration, and Fencepost in a crate's tests
    ci,
    /// many processors and many machines: GNU parallel, Slurm
    clusters,
    /// the four papers, and their tables repeated
    papers,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_pages_become_commands() {
        let page = Page {
            name: "a",
            about: "",
            text: "See [the b](super::b), x[1] and [c](super::c). [d]",
        };
        let plain = page.plain();
        assert_eq!(
            plain,
            "See the b (`fencepost help b`), x[1] and c (`fencepost help c`). [d]"
        );
    }

    #[test]
    fn every_link_leads_to_a_page() {
        for page in PAGES {
            for link in page.text.split("](super::").skip(1) {
                let target = link.split(')').next().unwrap_or_default();
                let is_known = PAGES.iter().any(|page| page.name == target);
                assert!(is_known, "{} links to {target}", page.name);
            }
        }
    }
}
