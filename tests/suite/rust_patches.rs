//! Fences are written into files of many shapes: what is imported comes from where the atomics come from, in every
//! configuration, and the patched file compiles and holds.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that cannot start the program or write a folder has failed"
)]

use crate::support::process::{code, fencepost, stderr, stdout};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const STATICS: &str =
    "static WANTS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];\n";

const ENTER: &str = "pub fn enter(me: usize) -> bool {
    WANTS[me].store(true, Ordering::Release);
    !WANTS[1 - me].load(Ordering::Acquire)
}
";

const TEST: &str = "#[test]
fn at_most_one() {
    let other = std::thread::spawn(|| enter(1));
    let mine = enter(0);
    assert!(!(mine && other.join().unwrap()));
}
";

/// The imports of both configurations.
const PAIR: &str = "#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, Ordering};
";

/// Crates that have the names of others.
const LOOM: &str =
    "pub mod sync { pub use std::sync::*; }\npub mod thread { pub use std::thread::*; }\n";
const PORTABLE: &str = "pub use std::sync::atomic::*;\n";

/// What is before the functions, or all, and the lines that a patch adds.
const SHAPES: [(&str, &[&str]); 29] = [
    (
        "use std::{\n    sync::{\n        Arc,\n        atomic::{AtomicBool, Ordering},\n    },\n    thread,\n};\n",
        &[
            "        atomic::{AtomicBool, Ordering, fence},",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use loom::sync::atomic::{AtomicBool, Ordering};\n",
        &[
            "use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "PAIR",
        &[
            "use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "#[cfg(not(loom))]\nuse std::{sync::{atomic::{AtomicBool, Ordering}, Arc}, thread};\n#[cfg(loom)]\nuse loom::{sync::{atomic::{AtomicBool, Ordering}, Arc}, thread};\n",
        &[
            "use std::{sync::{atomic::{AtomicBool, Ordering, fence}, Arc}, thread};",
            "use loom::{sync::{atomic::{AtomicBool, Ordering, fence}, Arc}, thread};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "mod sync {\n    #[cfg(loom)]\n    pub(crate) use loom::sync::atomic::{AtomicBool, Ordering};\n    #[cfg(not(loom))]\n    pub(crate) use std::sync::atomic::{AtomicBool, Ordering};\n}\nuse crate::sync::{AtomicBool, Ordering};\n",
        &[
            "    pub(crate) use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "    pub(crate) use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "use crate::sync::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "mod sync {\n    #[cfg(loom)]\n    pub(crate) use loom::sync::atomic::AtomicBool;\n    #[cfg(loom)]\n    pub(crate) use loom::sync::atomic::Ordering;\n    #[cfg(not(loom))]\n    pub(crate) use std::sync::atomic::AtomicBool;\n    #[cfg(not(loom))]\n    pub(crate) use std::sync::atomic::Ordering;\n}\nuse crate::sync::{AtomicBool, Ordering};\n",
        &[
            "    pub(crate) use loom::sync::atomic::fence;",
            "    #[cfg(loom)]",
            "    pub(crate) use std::sync::atomic::fence;",
            "    #[cfg(not(loom))]",
            "use crate::sync::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "#[cfg(loom)]\nmod sync {\n    pub(crate) use loom::sync::atomic::{AtomicBool, Ordering};\n}\n#[cfg(not(loom))]\nmod sync {\n    pub(crate) use std::sync::atomic::{AtomicBool, Ordering};\n}\nuse crate::sync::{AtomicBool, Ordering};\n",
        &[
            "    pub(crate) use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "    pub(crate) use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "use crate::sync::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "mod sync {\n    pub mod atomic {\n        #[cfg(loom)]\n        pub use loom::sync::atomic::{AtomicBool, Ordering};\n        #[cfg(not(loom))]\n        pub use std::sync::atomic::{AtomicBool, Ordering};\n    }\n}\nuse crate::sync::atomic::{AtomicBool, Ordering};\n",
        &[
            "        pub use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "        pub use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "use crate::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "mod sync {\n    #[cfg(loom)]\n    pub use loom::sync::*;\n    #[cfg(not(loom))]\n    pub use std::sync::*;\n}\nuse crate::sync::atomic::{AtomicBool, Ordering};\n",
        &[
            "use crate::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "mod sync {\n    pub use std::sync::atomic::*;\n}\nuse crate::sync::*;\n",
        &["    fence(Ordering::SeqCst);"],
    ),
    (
        "mod sync {\n    pub use std::sync::atomic::{AtomicBool, Ordering};\n}\nuse crate::sync::{AtomicBool, Ordering};\n",
        &[
            "    pub use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "use crate::sync::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "PAIRSTATICSmod inner {\n    use super::*;\nINNER}\nuse inner::enter;\n",
        &[
            "use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "        crate::fence(Ordering::SeqCst);",
        ],
    ),
    (
        "PAIRSTATICSmod inner {\n    use super::{Ordering, WANTS};\nINNER}\nuse inner::enter;\n",
        &[
            "use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "        crate::fence(Ordering::SeqCst);",
        ],
    ),
    (
        "mod deep {\n    PAIRED    static WANTS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];\n    pub mod inner {\n        use super::{Ordering::*, WANTS};\n        pub fn enter(me: usize) -> bool {\n            WANTS[me].store(true, Release);\n            !WANTS[1 - me].load(Acquire)\n        }\n    }\n}\nuse deep::inner::enter;\n",
        &[
            "    use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "    use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "            crate::deep::fence(SeqCst);",
        ],
    ),
    (
        "#[cfg(loom)]\nuse loom::sync::atomic;\n#[cfg(not(loom))]\nuse std::sync::atomic;\nstatic WANTS: [atomic::AtomicBool; 2] = [atomic::AtomicBool::new(false), atomic::AtomicBool::new(false)];\npub fn enter(me: usize) -> bool {\n    WANTS[me].store(true, atomic::Ordering::Release);\n    !WANTS[1 - me].load(atomic::Ordering::Acquire)\n}\n",
        &[
            "#[cfg(loom)]",
            "use loom::sync::atomic::fence;",
            "#[cfg(not(loom))]",
            "use std::sync::atomic::fence;",
            "    fence(atomic::Ordering::SeqCst);",
        ],
    ),
    (
        "PAIRSTATICSpub fn enter(me: usize) -> bool {\n    use Ordering::*;\n    WANTS[me].store(true, Release);\n    !WANTS[1 - me].load(Acquire)\n}\n",
        &[
            "use loom::sync::atomic::{AtomicBool, Ordering, fence};",
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "mod inner {\n    use std::sync::atomic::{AtomicBool, Ordering};\n    STATICSINNER}\nuse inner::enter;\n",
        &[
            "    use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "        fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use std::sync::atomic::{AtomicBool, Ordering};\nmacro_rules! items { ($($i:item)*) => { $($i)* } }\nitems! {\n    STATICSINNER}\n",
        &[
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "        fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use std::sync::atomic::{AtomicBool, Ordering};\nmacro_rules! set { ($e:expr) => { $e.store(true, Ordering::Release) } }\nmacro_rules! get { ($e:expr) => { $e.load(Ordering::Acquire) } }\nSTATICSpub fn enter(me: usize) -> bool {\n    set!(WANTS[me]);\n    !get!(WANTS[1 - me])\n}\n",
        &[
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use std::sync::atomic::{self, Ordering};\nstatic WANTS: [atomic::AtomicBool; 2] = [atomic::AtomicBool::new(false), atomic::AtomicBool::new(false)];\nENTER",
        &[
            "use std::sync::atomic::fence;",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use std::sync::atomic::AtomicBool;\nuse std::sync::atomic::Ordering;\n",
        &[
            "use std::sync::atomic::fence;",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use std::sync::atomic::{\n    AtomicBool,\n    Ordering,\n};\n",
        &["    Ordering, fence,", "    fence(Ordering::SeqCst);"],
    ),
    (
        "use std::sync::atomic::{AtomicBool, Ordering};\nfn fence() {}\npub fn other() { fence() }\n",
        &["    std::sync::atomic::fence(Ordering::SeqCst);"],
    ),
    (
        "use core::sync::atomic::{AtomicBool, Ordering};\n",
        &[
            "use core::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use portable_atomic::{AtomicBool, Ordering};\n",
        &[
            "use portable_atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "static WANTS: [std::sync::atomic::AtomicBool; 2] = [std::sync::atomic::AtomicBool::new(false), std::sync::atomic::AtomicBool::new(false)];\npub fn enter(me: usize) -> bool {\n    WANTS[me].store(true, std::sync::atomic::Ordering::Release);\n    !WANTS[1 - me].load(std::sync::atomic::Ordering::Acquire)\n}\n",
        &["    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);"],
    ),
    (
        "//! A gate.\n\n#![allow(dead_code)]\n\n/// Imports.\nuse std::sync::atomic::{AtomicBool, Ordering}; // of std\n\n",
        &[
            "use std::sync::atomic::{AtomicBool, Ordering, fence}; // of std",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use std::sync::atomic::{AtomicBool, Ordering};\nSTATICSpub fn enter(me: usize) -> bool {\n    WANTS[me].store(true, Ordering::Release);\n    match WANTS[1 - me].load(Ordering::Acquire) {\n        true => false,\n        false => true,\n    }\n}\n",
        &[
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
    (
        "use std::sync::atomic::{AtomicBool, Ordering};\nSTATICSpub fn enter(me: usize) -> bool {\n    WANTS[me].store(true, Ordering::Release);\n    let mut n = 0;\n    while WANTS[1 - me].load(Ordering::Acquire) { n += 1; if n > 1 { return false; } }\n    true\n}\n",
        &[
            "use std::sync::atomic::{AtomicBool, Ordering, fence};",
            "    fence(Ordering::SeqCst);",
        ],
    ),
];

fn text_of(shape: &str) -> String {
    let indented = |text: &str| {
        text.lines()
            .flat_map(|line| ["    ", line, "\n"])
            .collect::<String>()
    };
    let paired = indented(PAIR).trim_start().to_owned();
    let text = shape.replace("PAIRED", &paired).replace("PAIR", PAIR);
    let text = text
        .replace("STATICS", STATICS)
        .replace("INNER", &indented(ENTER))
        .replace("ENTER", ENTER);
    let rest = if text.contains("WANTS") {
        ""
    } else {
        &format!("{STATICS}{ENTER}")
    };
    format!("{text}{rest}{TEST}")
}

/// Whether a file compiles where these are on; `true` where there is no compiler.
fn compiles(file: &Path, libraries: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut compiler = Command::new("rustc");
    compiler.args([
        "--edition",
        "2021",
        "--test",
        "--cap-lints",
        "allow",
        "--emit",
        "metadata",
    ]);
    compiler
        .args(arguments)
        .arg("--out-dir")
        .arg(libraries)
        .arg("-L")
        .arg(libraries)
        .arg(file);
    match compiler.output() {
        Ok(output) if !output.status.success() => {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

#[test]
fn fences_are_imported_from_where_the_atomics_come_from() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let libraries = folder.join("libraries");
    fs::create_dir(&libraries).unwrap();
    for (name, text) in [("loom", LOOM), ("portable_atomic", PORTABLE)] {
        let source = libraries.join(format!("{name}.rs"));
        fs::write(&source, text).unwrap();
        let mut compiler = Command::new("rustc");
        compiler.args([
            "--crate-type",
            "rlib",
            "--edition",
            "2021",
            "--emit",
            "metadata,link",
            "--out-dir",
        ]);
        let _ = compiler.arg(&libraries).arg(source).output();
    }
    for (number, (shape, added)) in SHAPES.iter().enumerate() {
        let text = text_of(shape);
        let file = folder.join("all.rs");
        fs::write(&file, &text).unwrap();
        let path = file.display().to_string();
        let output = fencepost(&["fence", &path, "--for", "assertions", "--diff"], "");
        let shown = stdout(&output);
        assert_eq!(
            code(&output),
            0,
            "{number}: {text}\n{shown}{}",
            stderr(&output)
        );
        let start = shown
            .find("--- a/")
            .unwrap_or_else(|| panic!("{number}: {text}\n{shown}"));
        let diff = &shown[start..];
        let new = diff.lines().filter(|line| !line.starts_with("+++"));
        let new: Vec<&str> = new.filter_map(|line| line.strip_prefix('+')).collect();
        assert_eq!(new, *added, "{number}: {text}");
        // As one would apply it.
        let mut patch = Command::new("git");
        // What the patch has before the name of the file.
        let depth = format!("-p{}", path.matches('/').count());
        patch.args(["apply", &depth, "-"]);
        let mut child = patch
            .current_dir(folder)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(diff.as_bytes())
            .unwrap();
        assert!(child.wait().unwrap().success(), "{number}: {diff}");
        let after = fs::read_to_string(&file).unwrap();
        for question in ["check", "robust"] {
            let output = fencepost(&[question, &path, "-q"], "");
            assert_eq!(code(&output), 0, "{number}: {after}\n{}", stdout(&output));
        }
        // Where `loom` is on, and where there is no such crate.
        let loom = format!("loom={}", libraries.join("libloom.rlib").display());
        let with_loom = ["--cfg", "loom", "--extern", &loom];
        let portable = format!(
            "portable_atomic={}",
            libraries.join("libportable_atomic.rlib").display()
        );
        let mut ways: Vec<&[&str]> = vec![&with_loom];
        let without = ["--extern", &portable];
        if !shape.starts_with("use loom") {
            ways.push(&without);
        }
        if shape.starts_with("use portable") {
            ways.remove(0);
        }
        for arguments in ways {
            // The folder of libraries is not one in which a crate is found that is not named.
            let empty = folder.join("empty");
            fs::create_dir_all(&empty).unwrap();
            let done = compiles(&file, &empty, arguments);
            assert_eq!(done, Ok(()), "{number}: {arguments:?}\n{after}");
        }
    }
}
