//! The parts of a page: its frame, style and script, and escaped elements.
//!
//! Pages are well-formed XML, too, so that tests can read them.

use super::diff_lines;
use super::execution::Execution;
use crate::report::Source;
use crate::report::draw::escaped;
use crate::visible::visible;
use serde_json::{Value, json};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// An element with this text, escaped; an empty class is left out.
pub(super) fn element(name: &str, class: &str, text: &str) -> String {
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    };
    format!("<{name}{class}>{}</{name}>", escaped(text))
}

/// A page under construction.
pub(super) struct Html {
    title: String,
    body: String,
    data: Value,
}

impl Html {
    pub(super) fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            body: String::new(),
            data: Value::Null,
        }
    }

    fn add(&mut self, part: &str) {
        self.body.push_str(part);
    }

    /// The result in one sentence, with the file that it is about.
    pub(super) fn lead(&mut self, source: &Source<'_>, sentence: &str) {
        let file = if source.file.is_empty() || source.file == "-" {
            source.program.name()
        } else {
            source.file
        };
        self.body.push_str(&element("h1", "", file));
        self.body.push_str(&element("p", "lead", sentence));
        let about = source.about_text();
        if !about.is_empty() {
            self.body.push_str(&element("p", "", about.trim()));
        }
    }

    /// An image that this crate made.
    pub(super) fn image(&mut self, image: &str) {
        self.add(&format!("<figure>{image}</figure>\n"));
    }

    /// The source and the executions beside it.
    pub(super) fn executions(&mut self, source: &Source<'_>, runs: &[Execution<'_>]) {
        if source.text.is_empty() && runs.is_empty() {
            return;
        }
        self.body.push_str("<div class=\"columns\">\n");
        if !source.text.is_empty() {
            self.source(source);
        }
        self.body.push_str("<div class=\"runs\">\n");
        for (number, run) in runs.iter().enumerate() {
            self.add(&format!("<section class=\"run\" id=\"run{number}\">\n"));
            self.body.push_str(&element("h2", "", &run.title));
            self.body.push_str("<div class=\"player\"></div>\n");
            self.body.push_str(&run.table());
            if let Some(image) = &run.image {
                self.image(image);
            }
            self.body.push_str("</section>\n");
        }
        self.body.push_str("</div>\n</div>\n");
        let runs: Vec<Value> = runs.iter().map(Execution::data).collect();
        self.data = json!({ "runs": runs });
    }

    /// The text, with the numbers that its lines have in their files.
    fn source(&mut self, source: &Source<'_>) {
        let files = source.program.files();
        self.body
            .push_str("<pre class=\"source\" tabindex=\"0\" aria-label=\"source\">");
        let (mut at, mut last) = (0, None);
        for (line, number) in source.text.trim_end().split_inclusive('\n').zip(1..) {
            let file = files.name(at);
            if file != last {
                let name = file.unwrap_or(source.file);
                self.add(&format!("{}\n", element("span", "file", name)));
                last = file;
            }
            let own = files.line(at, number);
            at += line.len();
            let line = visible(line.trim_end_matches(['\n', '\r'])).replace('\t', "    ");
            self.add(&format!(
                "<span class=\"line\" id=\"line{number}\"><span class=\"number\">{own}</span>{}</span>\n",
                element("code", "", &line)
            ));
        }
        self.body.push_str("</pre>\n");
    }

    /// The fences, which can be removed and inserted again: each with the execution that it prevents.
    pub(super) fn toggles(&mut self, toggles: &[(String, Option<usize>)]) {
        if toggles.is_empty() {
            return;
        }
        self.body
            .push_str("<h2>Fences</h2>\n<ol class=\"fences\">\n");
        for (words, run) in toggles {
            let run = run.map_or(String::new(), |run| format!(" data-run=\"{run}\""));
            self.add(&format!(
                "<li><label><input type=\"checkbox\" checked=\"checked\"{run}/> {}</label></li>\n",
                element("span", "", words)
            ));
        }
        self.body
            .push_str("</ol>\n<p class=\"without\" role=\"status\"></p>\n");
    }

    /// The change of the text.
    pub(super) fn difference(&mut self, changed: &str) {
        self.body.push_str("<h2>The change</h2>\n");
        let lines = diff_lines(changed);
        self.add(&format!(
            "<pre class=\"diff\" tabindex=\"0\">{lines}</pre>\n"
        ));
    }

    /// A table of results, and how many there are of each kind.
    pub(super) fn results(&mut self, rows: &str, counts: [usize; 3]) {
        self.body.push_str(&element("h1", "", &self.title));
        self.body.push_str(
            "<p class=\"filters\"><label>Filter <input type=\"search\" id=\"filter\"/></label>\n",
        );
        for (class, (word, count)) in ["met", "missed", "not run"].iter().zip(counts).enumerate() {
            self.add(&format!(
                "<label><input type=\"checkbox\" checked=\"checked\" data-kind=\"r{class}\"/> {word} \
                 ({count})</label>\n"
            ));
        }
        self.body
            .push_str("</p>\n<div class=\"scroll\"><table class=\"results\">\n<thead><tr>");
        for heading in [
            "file",
            "line",
            "expectation",
            "result",
            "details",
            "seconds",
        ] {
            self.body.push_str(&element("th", "", heading));
        }
        self.body.push_str("</tr></thead>\n<tbody>\n");
        self.body.push_str(rows);
        self.body
            .push_str("</tbody>\n</table></div>\n<p id=\"count\" role=\"status\"></p>\n");
    }

    /// The page.
    pub(super) fn finish(self) -> String {
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
             <meta charset=\"utf-8\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{}\
             <script type=\"application/json\" id=\"data\">{}</script>\n\
             <script>//<![CDATA[\n{SCRIPT}//]]></script>\n</body>\n</html>\n",
            escaped(&self.title),
            self.body,
            in_script(&self.data)
        )
    }
}

/// Data for a script: no character of it means anything to HTML.
fn in_script(data: &Value) -> String {
    let data = data.to_string();
    let escaped = data.chars().map(|c| match c {
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => format!("\\u{:04x}", u32::from(c)),
        other => other.to_string(),
    });
    escaped.collect()
}
