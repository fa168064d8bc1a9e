//! The frame of a page: its style and script, its source, and its data.
//!
//! Pages are well-formed XML, too, so that tests can read them.

use super::prose::element;
use crate::report::Source;
use crate::report::draw::escaped;
use crate::visible::visible;
use serde_json::Value;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

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

    /// Appends elements.
    pub(super) fn add(&mut self, part: &str) {
        self.body.push_str(part);
    }

    /// What the script needs.
    pub(super) fn data(&mut self, data: Value) {
        self.data = data;
    }

    /// The text, with the numbers that its lines have in their files.
    pub(super) fn source(&mut self, source: &Source<'_>) {
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
                element("code", "text", &line)
            ));
        }
        self.body.push_str("</pre>\n");
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
