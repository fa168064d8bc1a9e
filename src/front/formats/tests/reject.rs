//! Every file under `corpus/reject` gets exactly the messages that it lists.

use super::super::*;
use std::path::Path;

#[test]
fn each_rejected_file_gets_exactly_its_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/reject");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is part of the project")
        .map(|entry| entry.expect("and can be read").path())
        .collect();
    files.sort();
    assert!(files.len() >= 30);
    let mut wrong = Vec::new();
    for file in files {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let bytes = std::fs::read(&file).expect("a file of the project");
        let (text, _, parsed) = parse_bytes(&bytes, &name, None);
        let errors: Vec<&Diagnostic> = parsed
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .collect();
        let mut texts: Vec<&str> = parsed
            .expectations
            .iter()
            .filter_map(|e| {
                if let ExpectationKind::Error(text) = &e.kind {
                    Some(text.as_str())
                } else {
                    None
                }
            })
            .collect();
        let wanted = texts.len();
        for error in &errors {
            if let Some(at) = texts.iter().position(|text| error.message.contains(text)) {
                texts.remove(at);
            }
        }
        if wanted == 0 || !texts.is_empty() || errors.len() != wanted || parsed.program.is_some() {
            let shown = render(&parsed.diagnostics, &name, &text, false);
            let lines: Vec<String> = shown
                .lines()
                .map(|line| line.chars().take(200).collect())
                .collect();
            wrong.push(format!(
                "{name}: {wanted} expected, {} found, missing {texts:?}\n{}\n",
                errors.len(),
                lines.join("\n")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
