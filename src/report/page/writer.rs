//! The writer for pages: elements instead of lines.
//!
//! ```text
//!   lead      the result
//!   source    beside it: notes    what the report says about the program: fences, causes, the next step
//!                        runs     executions, each with its player, its steps, where it ends, and its picture
//! ```

use super::execution::Execution;
use super::html::Html;
use super::prose::{code, element, prose, wrapped};
use crate::report::draw::escaped;
use crate::report::evidence::Cycle;
use crate::report::writer::{Color, Sentence, Title, Writer};
use crate::report::{Detail, ShownRun, Source};
use crate::visible::visible;
use serde_json::{Value, json};
use std::mem;

/// A list that is open.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum List {
    #[default]
    None,
    Items,
    Fences,
}

/// A part of a page under construction.
#[derive(Default)]
struct Part {
    html: String,
    list: List,
}

impl Part {
    /// Appends an element, in a list of this kind.
    fn add(&mut self, list: List, element: &str) {
        if self.list != list {
            self.html.push_str(match self.list {
                List::None => "",
                List::Items => "</ul>\n",
                List::Fences => "</ol>\n<p class=\"without\" role=\"status\"></p>\n",
            });
            self.html.push_str(match list {
                List::None => "",
                List::Items => "<ul>\n",
                List::Fences => "<h2>Fences</h2>\n<ol class=\"fences\">\n",
            });
            self.list = list;
        }
        self.html.push_str(element);
        self.html.push('\n');
    }

    fn finished(mut self) -> String {
        self.add(List::None, "");
        self.html
    }
}

/// A page under construction.
#[derive(Default)]
pub(super) struct PageWriter {
    lead: Part,
    notes: Part,
    /// The execution that is written, if one is.
    run: Option<Part>,
    runs: String,
    /// What the script needs of each execution.
    data: Vec<Value>,
    /// The fences with an execution so far.
    prevented: usize,
}

impl PageWriter {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// The part that is written now.
    fn part(&mut self) -> &mut Part {
        self.run.as_mut().unwrap_or(&mut self.notes)
    }

    fn add(&mut self, element: &str) {
        self.part().add(List::None, element);
    }

    /// Appends an image that this crate made.
    pub(super) fn image(&mut self, image: &str) {
        self.add(&format!("<figure tabindex=\"0\">{image}</figure>"));
    }

    /// The page with this title.
    pub(super) fn page(self, title: &str, source: &Source<'_>) -> String {
        let mut html = Html::new(title);
        let file = if source.file.is_empty() || source.file == "-" {
            source.program.name()
        } else {
            source.file
        };
        html.add(&wrapped(
            "header",
            "",
            &(element("h1", "", file) + &self.lead.finished()),
        ));
        html.add("<div class=\"columns\">\n");
        if !source.text.is_empty() {
            html.source(source);
        }
        html.add("<main>\n");
        let notes = self.notes.finished();
        if !notes.trim().is_empty() {
            html.add(&wrapped("div", "notes", &notes));
        }
        html.add(&self.runs);
        html.add("</main>\n</div>\n");
        html.data(json!({ "runs": self.data }));
        html.finish()
    }
}

impl Writer for PageWriter {
    fn detail(&self) -> Detail {
        Detail::Everything
    }

    fn sentence(&mut self, sentence: &Sentence, color: Color) {
        let class = match color {
            Color::Good => "lead good",
            Color::Bad => "lead bad",
            Color::Open
            | Color::Heading
            | Color::Added
            | Color::Removed
            | Color::Place
            | Color::Thread(_) => "lead",
        };
        let lead = element("strong", "", &sentence.lead) + &prose(&sentence.rest);
        self.lead.add(List::None, &wrapped("p", class, &lead));
    }

    fn blank(&mut self) {}

    fn heading(&mut self, text: &str) {
        self.add(&wrapped("h3", "", &prose(text)));
    }

    fn paragraph(&mut self, text: &str) {
        self.add(&wrapped("p", "", &prose(text)));
    }

    fn item(&mut self, text: &str) {
        let item = wrapped("li", "", &prose(text));
        self.part().add(List::Items, &item);
    }

    fn fence(&mut self, text: &str, prevents: bool) {
        let run = if prevents {
            self.prevented += 1;
            format!(" data-run=\"{}\"", self.prevented - 1)
        } else {
            String::new()
        };
        let item = format!(
            "<li><label><input type=\"checkbox\" checked=\"checked\"{run}/> {}</label></li>",
            wrapped("span", "", &prose(text))
        );
        self.part().add(List::Fences, &item);
    }

    fn verbatim(&mut self, lines: &str) {
        let text = visible(lines);
        let lines: Vec<String> = text.lines().map(|line| element("span", "", line)).collect();
        let lines = lines.join("\n");
        self.add(&format!(
            "<pre class=\"verbatim\" tabindex=\"0\">{lines}</pre>"
        ));
    }

    fn change(&mut self, diff: &str) {
        let text = visible(diff);
        // Tabs stay, so that the change can be copied.
        let lines = text.lines().map(|line| {
            let class = match line.as_bytes().first() {
                Some(_) if line.starts_with("--- ") || line.starts_with("+++ ") => "files",
                Some(b'+') => "added",
                Some(b'-') => "removed",
                Some(b'@') => "at",
                Some(_) | None => "",
            };
            let parts: Vec<String> = line.split('\t').map(escaped).collect();
            wrapped("span", class, &parts.join("\t"))
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        self.add("<h2>The change</h2>");
        self.add(&format!("<pre class=\"diff\" tabindex=\"0\">{lines}</pre>"));
    }

    fn run(&mut self, title: &Title, of: &ShownRun<'_>) {
        let execution = Execution::new(*of);
        let number = self.data.len();
        self.run = Some(Part::default());
        // The first of several executions is open; a fence opens what it prevents.
        let is_folded = number > 0 && self.prevented == 0;
        let title = wrapped("h2", "", &prose(title.words.trim_end_matches(':')));
        self.add(&format!("<section class=\"run\" id=\"run{number}\">"));
        self.add(&if is_folded {
            format!("<details><summary>{title}</summary>")
        } else {
            title
        });
        self.add("<div class=\"player\"></div>");
        self.add(&execution.table());
        if let Some(omitted) = execution.omitted() {
            self.add(&element("p", "dim", &omitted));
        }
        self.ending(of, execution.cycle());
        if let Some(image) = execution.image() {
            self.image(&image);
        }
        self.add(if is_folded { "</details>" } else { "" });
        self.add("</section>");
        self.data.push(execution.data());
        if let Some(run) = mem::take(&mut self.run) {
            self.runs.push_str(&run.finished());
        }
    }

    fn cycle(&mut self, title: &str, source: &Source<'_>, cycle: &Cycle) {
        self.heading(title);
        let edges = cycle.edges.iter().map(|edge| {
            let place = format!(
                "{} {}",
                source.thread(edge.from.thread),
                source.place(edge.from)
            );
            let parts = [
                element("b", "", &place),
                code("code", "", &source.statement(edge.from)),
                element("span", "relation", &format!("─{}→", edge.label(source))),
            ];
            wrapped("li", "", &parts.join(" "))
        });
        let edges: Vec<String> = edges.collect();
        self.add(&wrapped("ul", "edges", &edges.join("\n")));
    }
}
