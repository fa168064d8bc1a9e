//! `#[fencepost::test]`: a test that Fencepost checks for all executions, within `cargo test` and on stable Rust.
//!
//! ```toml
//! [dev-dependencies]
//! fencepost = { package = "fencepost-test", version = "0.1" }
//! ```
//!
//! The function is compiled, and not executed: Fencepost reads its text, and the test passes if no execution on a
//! machine with store buffers violates an assertion. Otherwise the test fails with the execution that does.
//!
//! ```text
//! #[fencepost::test(model = "tso,pso", forbid_stuck)]
//! fn one_side_is_inside() {
//!     let other = std::thread::spawn(|| enter(1));
//!     let mine = enter(0);
//!     assert!(!(mine && other.join().unwrap()));
//! }
//! ```
//!
//! | option | is about |
//! |---|---|
//! | `model = "tso,pso"` | memory models: `sc`, `tso` (default), `pso`, `pgas` |
//! | `robust` | checks that store buffers add no behaviour, instead of the assertions |
//! | `forbid_stuck` | no thread may wait forever, which is the default |
//! | `allow_stuck` | threads may wait forever |
//! | `accept_bounded` | passes if no violation was found within bounds, which is not a proof |
//! | `any_number` | a loop that creates threads creates any number of them |
//! | `capacity = 32` | the elements that a collection has room for, by default 16 |
//! | `engine = "ic3"` | one engine: `auto`, `bmc`, `explicit`, `ic3`, `lazy` |
//! | `unroll = 8` | the loop bound of the bounded engine |
//! | `timeout = 60` | fails as undecided after so many seconds |
//!
//! The check is made by `cargo-fencepost`, which `cargo install fencepost` puts on the `PATH`; the environment variable
//! `FENCEPOST` names another one. `cargo fencepost` on its own checks these tests, too, with the same options. Features, `--cfg`, overflow
//! checks and debug assertions are those that the test is compiled with.
//!
//! This crate has no dependencies, and nothing of it remains in the test but a call of that program.

mod options;
mod written;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Makes a function a test that Fencepost checks for all executions: see the documentation of the crate.
#[proc_macro_attribute]
pub fn test(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let made = options::check(attribute).and_then(|()| written::test(item.clone()));
    // The function stays, so that what it needs is not reported as unused.
    made.unwrap_or_else(|wrong| {
        let mut all = wrong.tokens();
        all.extend(item);
        all
    })
}

/// What is wrong, and where.
struct Wrong {
    message: String,
    span: Span,
}

impl Wrong {
    fn new(message: impl Into<String>, span: Span) -> Self {
        Self {
            message: message.into(),
            span,
        }
    }

    /// `::core::compile_error! { "message" }`
    fn tokens(&self) -> TokenStream {
        let colon = |spacing| TokenTree::from(Punct::new(':', spacing));
        let text = TokenTree::from(Literal::string(&self.message));
        let name = |name: &str| TokenTree::from(Ident::new(name, self.span));
        let all = [
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            name("core"),
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            name("compile_error"),
            Punct::new('!', Spacing::Alone).into(),
            Group::new(Delimiter::Brace, text.into()).into(),
        ];
        let all = all.into_iter().map(|mut token| {
            token.set_span(self.span);
            token
        });
        all.collect()
    }
}
