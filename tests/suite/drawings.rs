//! Drawings and pages: `--draw`.
//!
//! Pictures are read as XML and checked for what makes them legible: all that they are about is in them, in
//! its lane and in its order, and no line passes through a label. Pages are read as XML, too.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot run the program has failed"
)]

use crate::support::process::{code, fencepost, stderr};
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use std::fs;

pub const STORE_BUFFERING: &str = "shared flag0, flag1;
thread t0 {
    local r;
    flag0 = 1;
    r = flag1;
}
thread t1 {
    local s;
    flag1 = 1;
    s = flag0;
}
final assert t0.r == 1 || t1.s == 1;
";

/// Names, comments and file names that would end an element or a script, or start one.
pub const HOSTILE: &str =
    "shared `</script><script>document.title='bad'</script>`, `<img src=x onerror=alert(1)>`;
// </script><script>document.title = 'bad'</script> <!-- ]]> &amp; &lt;
thread `a</td><script>1</script>` {
    local `\"'&<`;
    `</script><script>document.title='bad'</script>` = 1;
    `\"'&<` = `<img src=x onerror=alert(1)>`;
}
thread `b]]>` {
    local r;
    `<img src=x onerror=alert(1)>` = 1;
    r = `</script><script>document.title='bad'</script>`;
}
final assert `a</td><script>1</script>`.`\"'&<` == 1 || `b]]>`.r == 1;
";

/// What a command draws for this text into a file with this extension, and its exit code.
pub fn drawn(command: &[&str], text: &str, extension: &str) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join(format!("out.{extension}"));
    let name = out.to_str().unwrap();
    let output = fencepost(&[command, &["-", "--draw", name]].concat(), text);
    let drawn =
        fs::read_to_string(&out).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    (drawn, code(&output))
}

fn parsed(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn number(node: Node<'_, '_>, name: &str) -> i32 {
    let text = node.attribute(name).unwrap_or_else(|| panic!("{name}"));
    text.parse().expect("coordinates are whole numbers")
}

/// A text with its left end and base line.
#[derive(Debug, Clone)]
struct Label {
    class: String,
    x: i32,
    y: i32,
    text: String,
}

fn labels(document: &Document<'_>) -> Vec<Label> {
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts
        .map(|node| Label {
            class: node.attribute("class").unwrap_or_default().to_owned(),
            x: number(node, "x"),
            y: number(node, "y"),
            text: node.text().unwrap_or_default().to_owned(),
        })
        .collect()
}

fn label<'l>(labels: &'l [Label], text: &str) -> &'l Label {
    let found = labels.iter().find(|label| label.text == text);
    found.unwrap_or_else(|| panic!("`{text}` is missing: {labels:?}"))
}

#[test]
fn an_execution_has_a_lane_for_each_thread_and_time_goes_down() {
    for command in ["check", "robust"] {
        let (svg, code) = drawn(&[command], STORE_BUFFERING, "svg");
        assert_eq!(code, 1);
        let document = parsed(&svg);
        let labels = labels(&document);
        let at = |text: &str| label(&labels, text);
        // The lanes are in the order of the threads, and each has its accesses from top to bottom.
        assert!(at("t0").x < at("t1").x);
        for (thread, first, second) in [
            ("t0", "4: flag0 = 1;", "5: r = flag1;"),
            ("t1", "9: flag1 = 1;", "10: s = flag0;"),
        ] {
            for access in [first, second] {
                assert!(
                    (at(access).x - at(thread).x).abs() <= 10,
                    "{access} is in its lane"
                );
            }
            assert!(at(thread).y < at(first).y && at(first).y < at(second).y);
        }
        // Values and cells, and the edges of the cycle with their cells.
        for text in [
            "store flag0 = 1",
            "load flag1 → 0",
            "store flag1 = 1",
            "load flag0 → 0",
            "fr: flag0",
            "fr: flag1",
            "store buffering (SB) under TSO",
        ] {
            at(text);
        }
        // Either thread may be the one that delays its store.
        let late = ["flag0 = 1 reaches memory", "flag1 = 1 reaches memory"];
        let drawn = late.map(|text| labels.iter().filter(|label| label.text == text).count());
        assert_eq!(drawn.iter().sum::<usize>(), 1, "{labels:?}");
        let rects = |class: &str| {
            let all = document.descendants();
            let count = all.filter(|n| {
                n.has_tag_name(("http://www.w3.org/2000/svg", "rect"))
                    && n.attribute("class") == Some(class)
            });
            count.count()
        };
        // One thread delays its store; in the legend, each colour occurs once more.
        assert_eq!(
            (rects("delayed"), rects("overtaking"), rects("box")),
            (2, 2, 2),
            "{svg}"
        );
        // Its program order is dashed; so is the line of the legend.
        assert_eq!(svg.matches("hot dashed\"").count(), 1);
        assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("class=\"bg\""));
    }
}

#[test]
fn a_picture_is_as_large_as_what_is_in_it() {
    let (svg, _) = drawn(&["check"], STORE_BUFFERING, "svg");
    let document = parsed(&svg);
    let root = document.root_element();
    let (width, height) = (number(root, "width"), number(root, "height"));
    let labels = labels(&document);
    let right = labels
        .iter()
        .map(|l| l.x + l.text.chars().count() as i32 * 7)
        .max()
        .unwrap();
    let bottom = labels.iter().map(|l| l.y).max().unwrap();
    assert!(right <= width && bottom <= height);
    // The boxes of the last lane, and a margin, may be beyond the last label.
    assert!(
        width - right < 170 && height - bottom < 40,
        "{width}x{height}: {right}, {bottom}"
    );
}

/// The straight lines of a path that consists of the commands M, H and V.
fn lines(path: &str) -> Vec<[i32; 4]> {
    let mut lines = Vec::new();
    let (mut x, mut y) = (0, 0);
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..]
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(rest.len(), |at| at + 1);
        let numbers: Vec<i32> = rest[1..end]
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        let (to_x, to_y) = match command {
            'M' => (numbers[0], numbers[1]),
            'H' => (numbers[0], y),
            'V' => (x, numbers[0]),
            other => panic!("{other} in {path}"),
        };
        if command != 'M' {
            lines.push([x.min(to_x), y.min(to_y), x.max(to_x), y.max(to_y)]);
        }
        (x, y) = (to_x, to_y);
        rest = &rest[end..];
    }
    lines
}

#[test]
fn no_line_of_an_automaton_passes_through_a_label() {
    for file in [
        "corpus/mutex/dekker.fence",
        "corpus/mutex/lamport-fast-3.fence",
        "corpus/structures/chase-lev.fence",
    ] {
        let text = fs::read_to_string(file).expect("the corpus is there");
        let (svg, code) = drawn(&["show"], &text, "svg");
        assert_eq!(code, 0);
        let document = parsed(&svg);
        let labels = labels(&document);
        let all = document
            .descendants()
            .filter(|n| n.attribute("class") == Some("line"));
        let lines: Vec<[i32; 4]> = all.flat_map(|n| lines(n.attribute("d").unwrap())).collect();
        assert!(labels.len() > 20 && lines.len() > 20);
        for label in &labels {
            let right = label.x + label.text.chars().count() as i32 * 7;
            let (top, bottom) = (label.y - 9, label.y + 3);
            for [x0, y0, x1, y1] in &lines {
                let apart = *x1 < label.x || right < *x0 || *y1 < top || bottom < *y0;
                assert!(apart, "{file}: {label:?} and {:?}", [x0, y0, x1, y1]);
            }
        }
        // The heads of the threads, in the order of their declaration, from left to right.
        let heads: Vec<&Label> = labels
            .iter()
            .filter(|label| label.class == "head")
            .collect();
        assert!(heads.is_sorted_by(|a, b| a.x < b.x), "{heads:?}");
        let declared: Vec<usize> = heads
            .iter()
            .filter_map(|head| text.find(&format!("thread {}", head.text)))
            .collect();
        assert!(declared.is_sorted());
    }
}

#[test]
fn every_instruction_of_a_program_is_in_its_picture() {
    let (svg, _) = drawn(&["show"], STORE_BUFFERING, "svg");
    let document = parsed(&svg);
    let labels = labels(&document);
    for text in [
        "mem[flag0] <- 1",
        "r <- mem[flag1]",
        "mem[flag1] <- 1",
        "s <- mem[flag0]",
    ] {
        label(&labels, text);
    }
}

#[test]
fn dot_names_the_cells_and_dashes_what_is_not_kept() {
    for command in ["check", "robust"] {
        let (dot, _) = drawn(&[command], STORE_BUFFERING, "dot");
        assert!(
            dot.starts_with("digraph") && dot.contains("subgraph \"cluster_t0\""),
            "{dot}"
        );
        for label in ["fr: flag0", "fr: flag1"] {
            assert_eq!(
                dot.matches(&format!("[label=\"{label}\"]")).count(),
                1,
                "{dot}"
            );
        }
        assert_eq!(
            dot.matches("[label=\"po\", style=dashed]").count(),
            1,
            "{dot}"
        );
        assert_eq!(dot.matches("style=filled").count(), 1, "{dot}");
    }
    let (dot, _) = drawn(&["show"], STORE_BUFFERING, "dot");
    assert!(dot.starts_with("digraph"), "{dot}");
}

#[test]
fn what_cannot_be_drawn_is_refused_or_reported() {
    let refused = |arguments: &[&str], message: &str| {
        let output = fencepost(arguments, STORE_BUFFERING);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    };
    refused(
        &["check", "-", "--draw", "out.png"],
        "`.svg`, `.dot` or `.html`",
    );
    refused(
        &["fence", "-", "--draw", "out.svg"],
        "has to end with `.html`",
    );
    refused(
        &["corpus", "corpus/papers", "--draw", "out.dot"],
        "has to end with `.html`",
    );
    let several = ["check", "-", "--model", "sc,tso", "--draw", "out.svg"];
    refused(&several, "requires a single `--model`");
    // An execution without a cycle is drawn, too; without an execution nothing is.
    let reached = "shared x; thread t { local r; x = 1; r = x; } exists t.r == 1;";
    let (svg, code) = drawn(&["check"], reached, "svg");
    assert_eq!(code, 0);
    assert!(svg.contains("without a cycle"), "{svg}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.svg");
    let never = "shared x; thread t { x = 1; } forbid x == 2;";
    let output = fencepost(&["check", "-", "--draw", out.to_str().unwrap()], never);
    assert!(stderr(&output).contains("nothing was drawn"), "{output:?}");
    assert!(!out.exists());
}

#[test]
fn older_options_draw_what_the_name_of_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    for (command, option, other) in [
        ("check", "--cycle", "digraph"),
        ("robust", "--dot", "digraph"),
        ("robust", "--svg", "<?xml"),
    ] {
        for (name, begins) in [
            ("out.svg", "<?xml"),
            ("out.dot", "digraph"),
            ("out.html", "<!DOCTYPE"),
            ("out", other),
        ] {
            let out = folder.path().join(name);
            let arguments = [command, "-", option, out.to_str().unwrap()];
            assert_eq!(code(&fencepost(&arguments, STORE_BUFFERING)), 1);
            let drawn = fs::read_to_string(&out).unwrap();
            assert!(drawn.starts_with(begins), "{option} {name}: {drawn}");
        }
    }
}

/// The text of all elements of this name and class.
fn texts(document: &Document<'_>, name: &str, class: &str) -> Vec<String> {
    let all = document.descendants().filter(|node| {
        let classes = node.attribute("class").unwrap_or_default();
        node.tag_name().name() == name
            && classes
                .split(' ')
                .any(|own| own == class || class.is_empty())
    });
    all.map(|node| {
        let parts = node.descendants().filter(Node::is_text);
        parts.filter_map(|part| part.text()).collect()
    })
    .collect()
}

fn data(document: &Document<'_>) -> Value {
    let node = document
        .descendants()
        .find(|node| node.attribute("id") == Some("data"));
    serde_json::from_str(node.unwrap().text().unwrap()).expect("the data is JSON")
}

#[test]
fn a_page_shows_the_source_the_steps_the_buffers_and_the_memory() {
    let (html, code) = drawn(&["check"], STORE_BUFFERING, "html");
    assert_eq!(code, 1);
    let document = parsed(&html);
    let lines = texts(&document, "code", "text");
    assert_eq!(lines, STORE_BUFFERING.lines().collect::<Vec<_>>());
    assert!(texts(&document, "p", "lead")[0].starts_with("Violated under TSO:"));
    let table = texts(&document, "table", "steps");
    assert_eq!(texts(&document, "svg", "").len(), 1);
    let data = data(&document);
    let steps = data["runs"][0]["steps"].as_array().unwrap();
    // Two stores that are issued and reach memory, and two loads.
    assert_eq!(steps.len(), 6);
    // Either thread may be the one that begins, and delays its store.
    let stores = [("t0", "flag0", 4), ("t1", "flag1", 9)];
    let first = stores
        .into_iter()
        .find(|(_, _, line)| steps[0]["line"] == *line);
    let (thread, cell, line) = first.unwrap_or_else(|| panic!("{steps:?}"));
    let (store, waits) = (
        format!("{line}: {cell} = 1;"),
        format!("{thread}: {cell}=1"),
    );
    assert!(
        table[0].contains(&store) && table[0].contains(&waits),
        "{table:?}"
    );
    let rows = document
        .descendants()
        .filter(|node| node.tag_name().name() == "tr")
        .count();
    assert_eq!(rows, steps.len() + 1);
    let memory = |step: &Value| step["memory"].to_string();
    assert_eq!(memory(&steps[0]), r#"[["flag0","0"],["flag1","0"]]"#);
    assert_eq!(memory(&steps[5]), r#"[["flag0","1"],["flag1","1"]]"#);
    let buffered = serde_json::json!([{ "items": [format!("{cell} = 1")], "thread": thread }]);
    assert_eq!(steps[0]["buffers"], buffered);
    assert_eq!(steps[5]["buffers"], serde_json::json!([]));
    // Each access of the picture, and each store that arrives late, is a step.
    let positions = |name: &str, class: &str| -> Vec<String> {
        let all = document.descendants();
        let all = all.filter(|node| {
            node.tag_name().name() == name && class == node.attribute("class").unwrap_or(class)
        });
        let all = all.filter_map(|node| node.attribute("data-at"));
        all.map(str::to_owned).collect()
    };
    let (rows, events) = (positions("tr", "cycle"), positions("g", "event"));
    assert_eq!(events.len(), 5, "{html}");
    assert!(
        events.iter().all(|at| rows.contains(at)),
        "{rows:?} {events:?}"
    );
    let text: String = texts(&document, "body", "").concat();
    for said in [
        "Under SC this cannot happen: delayed stores are the cause.",
        "Next: run ",
        "Happens-before cycle, store buffering (SB), of the steps marked *:",
        "At the end: t0.r = 0, t1.s = 0.",
    ] {
        assert!(text.contains(said), "{said}: {html}");
    }
    // Nothing is loaded, and both colour schemes and small screens are provided for.
    for absent in ["http://", "https://", "src=", "href=", "url(", "innerHTML"] {
        let inside = html.replace("http://www.w3.org/", "");
        assert!(!inside.contains(absent), "{absent}");
    }
    for present in [
        "default-src 'none'",
        "prefers-color-scheme: dark",
        "width=device-width",
    ] {
        assert!(html.contains(present), "{present}");
    }
}

#[test]
fn lines_of_several_files_have_the_numbers_and_names_of_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let main = "\
#include <assert.h>
#include <pthread.h>
#include \"x.h\"
void *t(void *u) { set(); return 0; }
int main(void)
{
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x == 0);
}
";
    let header =
        "#include <stdatomic.h>\nstatic atomic_int x;\nstatic void set(void)\n{\n    x = 1;\n}\n";
    fs::write(path("main.c"), main).unwrap();
    fs::write(path("x.h"), header).unwrap();
    let out = path("out.html");
    let output = fencepost(&["check", &path("main.c"), "--draw", &out], "");
    assert_eq!(code(&output), 1, "{output:?}");
    let html = fs::read_to_string(&out).unwrap();
    let document = parsed(&html);
    let lines = texts(&document, "span", "line");
    assert!(
        lines.contains(&"9    assert(x == 0);".to_owned()),
        "{lines:?}"
    );
    assert!(lines.contains(&"5    x = 1;".to_owned()), "{lines:?}");
    let files = texts(&document, "span", "file");
    assert!(files.iter().any(|file| file.ends_with("x.h")), "{files:?}");
    // The step in the header points to its line of the page.
    let data = data(&document);
    let steps = data["runs"][0]["steps"].as_array().unwrap();
    let pointed = |step: &Value| {
        let id = format!("line{}", step["line"]);
        let line = document
            .descendants()
            .find(|node| node.attribute("id") == Some(&id));
        let parts: String = line
            .unwrap()
            .descendants()
            .filter_map(|n| n.is_text().then(|| n.text()).flatten())
            .collect();
        parts
    };
    let all: Vec<String> = steps.iter().map(pointed).collect();
    assert!(all.iter().any(|line| line.contains("x = 1;")), "{all:?}");
    assert!(
        all.iter().any(|line| line.contains("assert(x == 0);")),
        "{all:?}"
    );
}

#[test]
fn a_page_of_fences_has_the_change_and_what_each_prevents() {
    let (html, code) = drawn(&["fence"], STORE_BUFFERING, "html");
    assert_eq!(code, 0);
    let document = parsed(&html);
    let added = texts(&document, "span", "added");
    assert_eq!(
        added
            .iter()
            .filter(|line| line.trim() == "+    fence;")
            .count(),
        2,
        "{added:?}"
    );
    let fences: Vec<Node<'_, '_>> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "input")
        .collect();
    assert_eq!(fences.len(), 2);
    let runs: Vec<&str> = fences
        .iter()
        .filter_map(|fence| fence.attribute("data-run"))
        .collect();
    assert_eq!(runs, ["0", "1"]);
    for run in runs {
        let id = format!("run{run}");
        assert!(
            document
                .descendants()
                .any(|node| node.attribute("id") == Some(&id))
        );
    }
    assert_eq!(data(&document)["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_page_of_a_corpus_is_a_table_with_filters() {
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("programs");
    fs::create_dir(&programs).unwrap();
    let good = format!("//: robust tso no\n{STORE_BUFFERING}");
    fs::write(programs.join("<script>.fence"), &good).unwrap();
    let bad = format!("//: robust tso yes\n{STORE_BUFFERING}");
    fs::write(programs.join("bad.fence"), bad).unwrap();
    let out = folder.path().join("out.html");
    let output = fencepost(
        &[
            "corpus",
            programs.to_str().unwrap(),
            "--draw",
            out.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(code(&output), 1, "{output:?}");
    let html = fs::read_to_string(&out).unwrap();
    let document = parsed(&html);
    let met = texts(&document, "tr", "r0");
    let missed = texts(&document, "tr", "r1");
    assert_eq!((met.len(), missed.len()), (1, 1), "{html}");
    assert!(met[0].contains("robust tso no"), "{met:?}");
    assert!(missed[0].contains("expected"), "{missed:?}");
    // The file with a failure is the first, and open; each is in its folder.
    let parts = document
        .descendants()
        .filter(|node| node.tag_name().name() == "details");
    let parts: Vec<(&str, bool, String)> = parts
        .map(|node| {
            let class = node.attribute("class").unwrap_or_default();
            let summary = node.first_element_child().unwrap();
            let words = summary.descendants().filter_map(|part| {
                let text = part.text().filter(|_| part.is_text());
                text.map(str::to_owned)
            });
            (class, node.has_attribute("open"), words.collect())
        })
        .collect();
    let expected = [
        ("folder", true, ". 1 met, 1 missed".to_owned()),
        ("file", true, "bad.fence 0 met, 1 missed".to_owned()),
        ("file", false, "<script>.fence 1 met".to_owned()),
    ];
    assert_eq!(parts, expected);
    let kinds = document
        .descendants()
        .filter(|node| node.has_attribute("data-kind"));
    assert_eq!(kinds.count(), 3);
}

#[test]
fn no_text_of_a_program_is_markup() {
    for command in ["check", "robust", "fence", "show"] {
        let (html, _) = drawn(&[command], HOSTILE, "html");
        let document = parsed(&html);
        let elements = |name: &str| {
            let all = document.descendants();
            all.filter(|node| node.tag_name().name() == name).count()
        };
        // The data, and the script of the page.
        assert_eq!((elements("script"), elements("img")), (2, 0), "{command}");
        assert_eq!(html.matches("<script").count(), 2, "{command}");
        assert_eq!(html.matches("</script").count(), 2, "{command}");
        assert!(!html.contains("<!--"), "{command}");
        let lines = texts(&document, "code", "text");
        assert_eq!(lines, HOSTILE.lines().collect::<Vec<_>>(), "{command}");
    }
    for extension in ["svg", "dot"] {
        let (drawing, _) = drawn(&["check"], HOSTILE, extension);
        if extension == "svg" {
            let document = parsed(&drawing);
            assert!(
                document
                    .descendants()
                    .all(|node| node.tag_name().name() != "script")
            );
        }
    }
}
