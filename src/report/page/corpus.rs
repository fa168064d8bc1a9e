//! The results of a corpus as a page: what was missed first, then all files by folder.

use super::html::Html;
use super::prose::{code, element, prose, wrapped};
use crate::report::view::{CorpusFile, CorpusLine, LineResult};
use std::collections::BTreeMap;

/// The kinds of results, in the order of [`class`].
const KINDS: [&str; 3] = ["met", "missed", "not run"];

/// How many results there are of each kind.
type Counts = [usize; 3];

/// The number of the kind of this result.
fn class(line: &CorpusLine) -> usize {
    match line.result {
        LineResult::Met => 0,
        LineResult::Missed { .. } => 1,
        LineResult::NotRun(_) => 2,
    }
}

fn counts<'a>(files: impl IntoIterator<Item = &'a CorpusFile>) -> Counts {
    let mut counts = [0; 3];
    for file in files {
        for line in &file.lines {
            counts[class(line)] += 1;
        }
        counts[1] += usize::from(file.defect);
    }
    counts
}

/// `12 met, 1 missed`
fn words(counts: Counts) -> String {
    let kinds = counts.iter().zip(KINDS).enumerate();
    let kinds = kinds.filter(|&(number, (&count, _))| number == 0 || count > 0);
    let kinds: Vec<String> = kinds
        .map(|(_, (count, kind))| format!("{count} {kind}"))
        .collect();
    kinds.join(", ")
}

/// The page: a part for each folder and in it for each file, those with failures first and open.
pub fn corpus(files: &[CorpusFile]) -> String {
    let all = counts(files);
    let mut html = Html::new("Results of the corpus");
    html.add("<header><h1>Results of the corpus</h1>\n");
    let (class, lead) = match all {
        [_, 0, 0] => ("lead good", "All expectations were met"),
        [_, 0, _] => ("lead", "No expectation was missed, but some were not run"),
        _ => ("lead bad", "Some expectations were missed"),
    };
    let lead = element("strong", "", lead) + &format!(": {}.", words(all));
    html.add(&wrapped("p", class, &lead));
    html.add(
        "</header>\n<p class=\"filters\"><label>Filter <input type=\"search\" id=\"filter\"/></label>\n",
    );
    for (number, (word, count)) in KINDS.iter().zip(all).enumerate() {
        html.add(&format!(
            "<label><input type=\"checkbox\" checked=\"checked\" data-kind=\"r{number}\"/> {word} \
             ({count})</label>\n"
        ));
    }
    html.add(
        "<button type=\"button\" id=\"failures\">Only failures</button>\n</p>\n\
         <p id=\"count\" class=\"dim\" role=\"status\"></p>\n",
    );
    let mut folders: BTreeMap<&str, Vec<&CorpusFile>> = BTreeMap::new();
    for file in files {
        let folder = file.name.rsplit_once('/').map_or(".", |(folder, _)| folder);
        folders.entry(folder).or_default().push(file);
    }
    let mut folders: Vec<(Counts, &str, Vec<&CorpusFile>)> = folders
        .into_iter()
        .map(|(folder, files)| (counts(files.iter().copied()), folder, files))
        .collect();
    folders.sort_by_key(|&(counts, folder, _)| (first(counts), folder));
    for (own, folder, mut files) in folders {
        files.sort_by_key(|file| (first(counts([*file])), &file.name));
        let files: String = files.iter().map(|file| part_of_file(file)).collect();
        html.add(&part("folder", folder, own, &files));
    }
    html.finish()
}

/// Where something with these results comes: failures first, then what was not run.
fn first([_, missed, not_run]: Counts) -> usize {
    match (missed, not_run) {
        (1.., _) => 0,
        (0, 1..) => 1,
        (0, 0) => 2,
    }
}

/// A part that can be closed, with its results in its summary.
fn part(class: &str, name: &str, counts: Counts, inside: &str) -> String {
    let open = if first(counts) < 2 {
        " open=\"open\""
    } else {
        ""
    };
    let word = if first(counts) == 0 {
        "totals bad"
    } else {
        "totals"
    };
    format!(
        "<details class=\"{class}\"{open}><summary>{} {}</summary>\n{inside}</details>\n",
        code("b", "", name),
        element("span", word, &words(counts))
    )
}

fn part_of_file(file: &CorpusFile) -> String {
    let mut lines: Vec<&CorpusLine> = file.lines.iter().collect();
    lines.sort_by_key(|line| class(line) == 0);
    let mut rows: String = lines.into_iter().map(row).collect();
    if file.defect {
        rows.push_str(
            "<tr class=\"r1\"><td></td><td>no internal error</td><td>missed</td><td>internal error of \
             Fencepost: please report it with this file</td><td></td></tr>\n",
        );
    }
    let heads = ["line", "expectation", "result", "details", "seconds"];
    let heads = heads.map(|heading| element("th", "", heading)).concat();
    let table = format!(
        "<div class=\"scroll\"><table class=\"results\">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\
         </tbody>\n</table></div>\n"
    );
    let name = file
        .name
        .rsplit_once('/')
        .map_or(&*file.name, |(_, name)| name);
    part("file", name, counts([file]), &table)
}

fn row(line: &CorpusLine) -> String {
    let number = match line.number {
        0 => String::new(),
        number => number.to_string(),
    };
    let why = match &line.result {
        LineResult::Met => String::new(),
        LineResult::Missed { .. } => line.result.to_string(),
        LineResult::NotRun(why) => why.clone(),
    };
    let seconds = line.seconds.map_or(String::new(), |s| format!("{s:.2}"));
    let cells = [
        element("td", "", &number),
        code("td", "", &line.text),
        element("td", "", line.result.word()),
        wrapped("td", "", &prose(&why)),
        element("td", "", &seconds),
    ];
    format!("<tr class=\"r{}\">{}</tr>\n", class(line), cells.concat())
}
