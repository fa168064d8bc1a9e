//! The test that is compiled: the function, which nothing calls, and a call of `cargo-fencepost`.

use crate::Wrong;
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use std::env;
use std::iter::Peekable;

/// How the test is compiled.
#[derive(Default)]
struct Compiled {
    /// `feature="…"`, and others.
    configurations: Vec<String>,
    /// Whether these are those of the compiler, and not those of an editor that shows what macros stand for.
    is_known: bool,
    optimised: bool,
    debug_assertions: Option<bool>,
    overflow_checks: Option<bool>,
}

/// The test that checks a function.
///
/// # Errors
///
/// What is not a function that can be one.
pub(crate) fn test(item: TokenStream) -> Result<TokenStream, Wrong> {
    let Item {
        attributes,
        function,
        name,
    } = item_of(item)?;
    let text = runner(&name.to_string(), &Compiled::of(compiler_arguments()));
    let runner: TokenStream = text
        .parse()
        .map_err(|_| Wrong::new("internal error: the test is no text", name.span()))?;
    let parsed = |text: &str| text.parse::<TokenStream>().unwrap_or_default();
    let mut body = parsed("#[allow(dead_code)]");
    body.extend(function);
    body.extend(runner);
    let mut made = parsed("#[::core::prelude::v1::test]");
    made.extend(attributes);
    made.extend(parsed("fn"));
    made.extend([
        TokenTree::Ident(name),
        Group::new(Delimiter::Parenthesis, TokenStream::new()).into(),
        Group::new(Delimiter::Brace, body).into(),
    ]);
    Ok(made)
}

/// A function without arguments.
struct Item {
    attributes: TokenStream,
    /// The function without its attributes.
    function: TokenStream,
    name: Ident,
}

fn item_of(item: TokenStream) -> Result<Item, Wrong> {
    let mut tokens = item.into_iter().peekable();
    let mut attributes = TokenStream::new();
    while let Some(TokenTree::Punct(_)) = tokens.peek() {
        let hash = tokens.next();
        let Some(TokenTree::Group(group)) = tokens.next() else {
            return Err(Wrong::new("expected an attribute", Span::call_site()));
        };
        let words: Vec<String> = group
            .stream()
            .into_iter()
            .map(|word| word.to_string())
            .collect();
        let message = match words.first().map(String::as_str) {
            Some("test") => Some("this is a test already: remove `#[test]`"),
            Some("should_panic") => {
                Some("a panic is a violation: a test that should panic cannot be checked")
            }
            Some(_) | None => None,
        };
        if let Some(message) = message {
            return Err(Wrong::new(message, group.span()));
        }
        attributes.extend(hash);
        attributes.extend([TokenTree::Group(group)]);
    }
    let mut function = TokenStream::new();
    let name = loop {
        match tokens.next() {
            Some(TokenTree::Ident(word)) => {
                let text = word.to_string();
                if text == "async" {
                    let message = "an `async` function is not a test: tests create threads";
                    return Err(Wrong::new(message, word.span()));
                }
                function.extend([TokenTree::Ident(word)]);
                if text == "fn" {
                    break function_name(&mut tokens)?;
                }
            }
            Some(token) => function.extend([token]),
            None => {
                let message = "`#[fencepost::test]` is for functions";
                return Err(Wrong::new(message, Span::call_site()));
            }
        }
    };
    function.extend([TokenTree::Ident(name.clone())]);
    match tokens.peek() {
        Some(TokenTree::Group(group))
            if group.delimiter() == Delimiter::Parenthesis && group.stream().is_empty() => {}
        other => {
            let span = other.map_or_else(Span::call_site, TokenTree::span);
            let message = "a test has no arguments, which nothing would give it";
            return Err(Wrong::new(message, span));
        }
    }
    function.extend(tokens);
    Ok(Item {
        attributes,
        function,
        name,
    })
}

fn function_name(tokens: &mut Peekable<impl Iterator<Item = TokenTree>>) -> Result<Ident, Wrong> {
    match tokens.next() {
        Some(TokenTree::Ident(name)) => Ok(name),
        other => {
            let span = other.map_or_else(Span::call_site, |token| token.span());
            Err(Wrong::new("expected the name of a function", span))
        }
    }
}

/// The arguments of the compiler, in which this code is executed.
fn compiler_arguments() -> Vec<String> {
    let mut all = Vec::new();
    for argument in env::args().skip(1) {
        // Cargo writes them into a file if they are long.
        match argument.strip_prefix('@').map(std::fs::read_to_string) {
            Some(Ok(text)) => all.extend(text.lines().map(str::to_owned)),
            Some(Err(_)) | None => all.push(argument),
        }
    }
    all
}

impl Compiled {
    fn of(arguments: Vec<String>) -> Self {
        let mut all = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let (option, joined) = match argument.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (argument.as_str(), None),
            };
            let mut value = |joined: Option<&str>| {
                joined
                    .map(str::to_owned)
                    .or_else(|| arguments.next())
                    .unwrap_or_default()
            };
            match option {
                "--crate-name" => all.is_known = true,
                "--cfg" => all.configurations.push(value(joined)),
                "--codegen" => all.codegen(&value(joined)),
                "-C" => all.codegen(&value(None)),
                "-O" => all.optimised = true,
                _ => {
                    if let Some(value) = option.strip_prefix("-C") {
                        all.codegen(value);
                    }
                }
            }
        }
        all
    }

    fn codegen(&mut self, option: &str) {
        let (name, value) = option.split_once('=').unwrap_or((option, "yes"));
        let is_on = matches!(value, "y" | "yes" | "on" | "true");
        match name.replace('_', "-").as_str() {
            "opt-level" => self.optimised = value != "0",
            "debug-assertions" => self.debug_assertions = Some(is_on),
            "overflow-checks" => self.overflow_checks = Some(is_on),
            _ => {}
        }
    }

    /// The options of `cargo fencepost` for the same.
    fn options(&self) -> Vec<String> {
        if !self.is_known {
            return Vec::new();
        }
        let debug = self.debug_assertions.unwrap_or(!self.optimised);
        let overflow = self.overflow_checks.unwrap_or(debug);
        let word = |is_on| if is_on { "on" } else { "off" };
        let mut all = vec![
            "--no-default-features".to_owned(),
            format!("--debug-assertions={}", word(debug)),
            format!("--overflow-checks={}", word(overflow)),
        ];
        for configuration in &self.configurations {
            let feature = configuration.strip_prefix("feature=\"");
            match feature.and_then(|rest| rest.strip_suffix('"')) {
                // Those that this one implies are given, too.
                Some(feature) => all.push(format!("--features={feature}")),
                None => all.push(format!("--cfg={configuration}")),
            }
        }
        all
    }
}

/// The statements that call the program, and fail unless it says that all is well.
fn runner(name: &str, compiled: &Compiled) -> String {
    let options = compiled.options();
    let name = name.strip_prefix("r#").unwrap_or(name);
    format!(
        r#"
    {{
        extern crate std;
        use std::option::Option::{{None, Some}};
        use std::result::Result::{{Err, Ok}};
        let program = std::env::var_os("FENCEPOST");
        let program = program.unwrap_or_else(|| std::convert::From::from("cargo-fencepost"));
        let path = std::module_path!();
        let path = match path.split_once("::") {{
            Some((_, modules)) => std::format!("{{modules}}::{{}}", {name:?}),
            None => std::string::String::from({name:?}),
        }};
        let mut command = std::process::Command::new(&program);
        command.args([
            "fencepost",
            "--manifest-path",
            std::concat!(std::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            "--exact",
        ]);
        match (std::option_env!("CARGO_BIN_NAME"), std::option_env!("CARGO_TARGET_TMPDIR")) {{
            (Some(name), _) => command.args(["--bin", name]),
            (None, Some(_)) => command.args(["--test", std::env!("CARGO_CRATE_NAME")]),
            (None, None) => command.arg("--lib"),
        }};
        let options: &[&str] = &{options:?};
        command.args(options).arg(&path);
        match command.stdin(std::process::Stdio::null()).output() {{
            Ok(output) if output.status.success() => {{
                std::print!("{{}}", std::string::String::from_utf8_lossy(&output.stdout));
            }}
            Ok(output) => std::panic!(
                "{{}}{{}}",
                std::string::String::from_utf8_lossy(&output.stdout),
                std::string::String::from_utf8_lossy(&output.stderr),
            ),
            Err(error) => std::panic!(
                "cannot run `{{}}`: {{error}}\nhelp: install it with `cargo install fencepost`, or let the environment \
                 variable FENCEPOST name it",
                std::path::Path::new(&program).display(),
            ),
        }}
    }}
"#
    )
}
