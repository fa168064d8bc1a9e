//! Threads that execute functions of a library, against a `main` that creates them by hand.

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, ParseOptions, StartedThread, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::robustness::{RobustOptions, robust};
use fencepost::internals::verdict::Budget;
use fencepost::program::Program;
use proptest::prelude::*;
use std::fmt::Write as _;

/// A function: its parameters, its statements.
#[derive(Clone, Debug)]
struct Drawn {
    parameters: Vec<usize>,
    statements: Vec<String>,
}

/// The types of parameters, what each is called, and how a `main` makes one.
const PARAMETERS: [(&str, &str, &str); 5] = [
    ("bool b", "b", "__VERIFIER_nondet_bool()"),
    ("struct pair *s", "s", "&the_pair"),
    ("struct pair *t", "t", "&the_pair"),
    ("atomic_int *p", "p", "&the_number"),
    ("void *none", "none", "NULL"),
];

fn statement() -> impl Strategy<Value = String> {
    let texts = [
        "g = 1;",
        "r = g;",
        "h = r + 1;",
        "r = h;",
        "if (b) { g = 2; }",
        "s->a = 1;",
        "r = t->b;",
        "t->b = r + 1;",
        "r = s->a;",
        "if (p != NULL) { *p = 1; r = *p; }",
        "if (none != NULL) { g = 3; }",
        "atomic_thread_fence(memory_order_seq_cst);",
        "assert(r != 2);",
        "if (r == 1) return r;",
        "assert(s == t);",
    ];
    prop::sample::select(texts.to_vec()).prop_map(str::to_owned)
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let parameters = prop::sample::subsequence((0..PARAMETERS.len()).collect::<Vec<_>>(), 0..=5);
    let statements = prop::collection::vec(statement(), 1..5);
    (parameters.prop_shuffle(), statements).prop_map(|(parameters, statements)| Drawn {
        parameters,
        statements,
    })
}

impl Drawn {
    /// The definition. What is no parameter is a variable that is known to be null or 0.
    fn print(&self, name: &str) -> String {
        let parameters = self.parameters.iter().map(|&at| PARAMETERS[at].0);
        let parameters: Vec<&str> = parameters.collect();
        let parameters = match parameters.as_slice() {
            [] => "void".to_owned(),
            some => some.join(", "),
        };
        let mut text = format!("int {name}({parameters}) {{ int r = 0;");
        for (at, (declared, called, made)) in PARAMETERS.iter().enumerate() {
            if !self.parameters.contains(&at) {
                let made = if *called == "b" { "0" } else { made };
                let _ = write!(text, " {declared} = {made};");
            }
        }
        let _ = writeln!(text, " {} return r; }}", self.statements.join(" "));
        text
    }

    fn call(&self, name: &str) -> String {
        let made = self.parameters.iter().map(|&at| PARAMETERS[at].2);
        format!("{name}({})", made.collect::<Vec<_>>().join(", "))
    }
}

const BEGINNING: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    #include <stdbool.h>\n#include <stddef.h>\n#include <stdlib.h>\nstruct pair { atomic_int a, b; };\n\
    atomic_int g, h;\nstruct pair the_pair;\natomic_int the_number;\n";

/// The text, and the same with a `main`.
fn texts(setup: &Drawn, functions: &[(Drawn, u16)]) -> (String, String) {
    let mut text = BEGINNING.to_owned() + &setup.print("setup");
    let mut by_hand = String::new();
    let mut main = format!(
        "int main(void) {{ pthread_t handle; {};",
        setup.call("setup")
    );
    for (number, (function, copies)) in functions.iter().enumerate() {
        let name = format!("f{number}");
        text += &function.print(&name);
        let call = function.call(&name);
        let _ = writeln!(by_hand, "void *w{number}(void *x) {{ {call}; return x; }}");
        for _ in 0..*copies {
            let _ = write!(main, " pthread_create(&handle, NULL, w{number}, NULL);");
        }
    }
    let whole = format!("{text}{by_hand}{main} return 0; }}\n");
    (text, whole)
}

fn read(text: &str, options: &ParseOptions) -> Program {
    let parsed = parse_with(Format::C, text, options);
    parsed
        .program
        .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
}

fn answers(program: &Program, model: Model) -> (String, String) {
    let budget = Budget::default().with_states(20_000);
    let options = CheckOptions::new(model).engine(Engine::Explicit);
    let checked = check(program, &options, &budget).expect("no defect");
    let robust = match model {
        Model::Sc => "robust".to_owned(),
        Model::Tso | Model::Pso | Model::Pgas => {
            let report = robust(program, &RobustOptions::new(model), &budget);
            report.expect("no defect").verdict().word().to_owned()
        }
    };
    (checked.verdict().word().to_owned(), robust)
}

/// Functions that all have the parameters that point to an object, or none: the others name a global object.
fn uniform(pairs: bool, numbers: bool, mut one: Drawn) -> Drawn {
    for (at, is_wanted) in [(1, pairs), (2, pairs), (3, numbers)] {
        let has = one.parameters.contains(&at);
        if is_wanted && !has {
            one.parameters.push(at);
        } else if !is_wanted {
            one.parameters.retain(|other| *other != at);
        }
    }
    one
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn started_threads_do_what_created_threads_do(
        pairs in any::<bool>(),
        numbers in any::<bool>(),
        setup in drawn(),
        functions in prop::collection::vec((drawn(), 1..3_u16), 1..3),
    ) {
        let uniform = |one| uniform(pairs, numbers, one);
        let setup = uniform(setup);
        let functions: Vec<_> = functions.into_iter().map(|(one, copies)| (uniform(one), copies)).collect();
        let (text, by_hand) = texts(&setup, &functions);
        let mut options = ParseOptions::new().setup("setup");
        for (number, (_, copies)) in functions.iter().enumerate() {
            let started: StartedThread = format!("f{number}:{copies}").parse().expect("it is one");
            options = options.thread(started);
        }
        let (started, created) = (read(&text, &options), read(&by_hand, &ParseOptions::new()));
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            prop_assert_eq!(answers(&started, model), answers(&created, model), "{}\n{}", model, by_hand);
        }
    }
}
