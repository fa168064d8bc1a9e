//! Pages in a browser, where there is one: their script runs, and does what keys, buttons and boxes say.
//!
//! A script at the end of a copy of the page does what a reader does. What is looked at is the document that
//! the browser has then.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot run the program has failed"
)]

use crate::drawings::{HOSTILE, STORE_BUFFERING, drawn};
use crate::support::outside::{run_for, skipped};
use crate::support::process::{code, fencepost, stderr};
use std::fs;
use std::process::Command;

/// The browsers that can print a page after its script ran.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// What a browser makes of a page after a reader did this; `None`, with a notice, if there is no browser that
/// works.
fn opened(html: &str, reader: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let script = format!("<script>{reader}</script></body>");
    assert_eq!(html.matches("</body>").count(), 1);
    fs::write(&page, html.replace("</body>", &script)).unwrap();
    let found = BROWSERS.iter().find_map(|browser| {
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
        command.arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ));
        command.arg(format!("file://{}", page.display()));
        let output = run_for(60, &mut command, folder.path())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.contains("</html>").then_some(text)
    });
    if found.is_none() {
        skipped(&format!("no browser works here ({})", BROWSERS.join(", ")));
    }
    found
}

/// Some helpers for readers.
const READER: &str = "const key = (name) => document.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true}));
    const one = (query) => document.querySelector(query);
    const say = (text) => { document.body.appendChild(document.createElement('output')).textContent = text; };
    const counter = () => Array.from(document.querySelectorAll('.player')).map((p) => p.textContent.match(/step [0-9]+ of [0-9]+/)[0]).join('; ');
    const now = () => document.querySelectorAll('.line.now').length + ' at ' + (one('.line.now') || one('body')).textContent.trim();
";

/// What the reader says, in order.
fn said(html: &str, reader: &str) -> Option<Vec<String>> {
    let dom = opened(html, &format!("{READER}{reader}"))?;
    assert!(dom.contains("class=\"ready\""), "{dom}");
    assert!(!dom.contains("<title>bad"), "{dom}");
    let parts = dom.split("<output>").skip(1);
    let texts = parts.map(|part| part.split("</output>").next().unwrap_or_default());
    Some(texts.map(|text| text.replace("&amp;", "&")).collect())
}

#[test]
fn steps_are_followed_with_keys_buttons_and_the_slider() {
    let (html, _) = drawn(&["check"], STORE_BUFFERING, "html");
    let reader = "
        say(counter());
        key('ArrowRight'); say(counter() + ', ' + now());
        key('ArrowLeft'); key('ArrowLeft'); say(counter());
        one('[aria-label=\"next step\"]').click(); say(counter());
        const slider = one('input[type=range]');
        slider.value = 6; slider.dispatchEvent(new Event('input')); say(counter());
        key('ArrowRight'); say(counter() + ', ' + one('.state').textContent);
        one('.steps tbody tr').click(); say(counter() + ', ' + now());
        one('figure .event rect').dispatchEvent(new MouseEvent('click', {bubbles: true})); say(counter());
        const now_at = () => one('figure .event.now').dataset.at + ' ' + one('.steps tr.now').dataset.at;
        say(now_at());
        say(String(one('figure svg').getBoundingClientRect().width <= one('figure').clientWidth));
    ";
    let Some(said) = said(&html, reader) else {
        return;
    };
    // Two stores, two loads, and what the stores do when they reach memory.
    assert_eq!(said[0], "step 1 of 6");
    assert!(said[1].starts_with("step 2 of 6, 1 at "), "{said:?}");
    assert_eq!(said[2], "step 1 of 6");
    assert_eq!(said[3], "step 2 of 6");
    assert_eq!(said[4], "step 6 of 6");
    let end = "step 6 of 6, memoryflag0 = 1flag1 = 1buffersempty";
    assert_eq!(said[5], end);
    assert!(said[6].starts_with("step 1 of 6, 1 at "), "{said:?}");
    // The first access of the picture is the first step, and both are marked.
    assert_eq!(said[7], "step 1 of 6");
    assert_eq!(said[8], "0 0");
    assert_eq!(said[9], "true", "the picture fits into its frame");
}

#[test]
fn no_text_of_a_program_runs_as_a_script() {
    for command in ["check", "robust", "fence", "show"] {
        let (html, _) = drawn(&[command], HOSTILE, "html");
        let reader = "say(document.title); say(String(document.querySelectorAll('img').length));";
        let Some(said) = said(&html, reader) else {
            return;
        };
        assert_eq!(said[1], "0", "{command}");
    }
}

#[test]
fn a_removed_fence_shows_what_it_prevents() {
    let (html, _) = drawn(&["fence"], STORE_BUFFERING, "html");
    let reader = "
        const shown = () => ['run0', 'run1'].map((id) => document.getElementById(id).hidden ? 0 : 1).join('');
        const boxes = document.querySelectorAll('.fences input');
        say(shown() + one('.without').textContent);
        boxes[1].click(); say(shown() + one('.without').textContent);
        boxes[1].focus(); boxes[1].dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
        say(counter());
        boxes[0].click(); boxes[1].click(); say(shown());
    ";
    let Some(said) = said(&html, reader) else {
        return;
    };
    assert!(
        said[0].starts_with("00With all fences in place"),
        "{said:?}"
    );
    assert!(said[1].starts_with("01Without the removed"), "{said:?}");
    assert!(said[2].ends_with("step 2 of 6"), "{said:?}");
    assert_eq!(said[3], "10");
}

#[test]
fn the_table_of_a_corpus_is_filtered() {
    let folder = tempfile::tempdir().unwrap();
    let programs = folder.path().join("programs");
    fs::create_dir(&programs).unwrap();
    for (name, answer) in [("good", "no"), ("bad", "yes")] {
        let text = format!("//: robust tso {answer}\n{STORE_BUFFERING}");
        fs::write(programs.join(format!("{name}.fence")), text).unwrap();
    }
    let out = folder.path().join("out.html");
    let (programs, to) = (programs.to_str().unwrap(), out.to_str().unwrap());
    let output = fencepost(&["corpus", programs, "--draw", to], "");
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let reader = "
        const filter = document.getElementById('filter');
        const count = () => document.getElementById('count').textContent;
        say(count());
        filter.value = 'GOOD robust'; filter.dispatchEvent(new Event('input')); say(count());
        filter.value = ''; filter.dispatchEvent(new Event('input'));
        one('[data-kind=r0]').click(); say(count());
        one('[data-kind=r1]').click(); say(count());
        document.getElementById('failures').click(); say(count());
    ";
    let Some(said) = said(&fs::read_to_string(&out).unwrap(), reader) else {
        return;
    };
    let shown = [2, 1, 1, 0, 1].map(|n| format!("{n} of 2 results are shown."));
    assert_eq!(said, shown);
}
