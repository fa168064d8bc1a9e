//! Recursive and error-checking mutexes, against ordinary ones that are locked once.

use crate::support::config::config;
use fencepost::internals::check::{CheckOptions, Engine, check};
use fencepost::internals::formats::{Format, ParseOptions, parse_with};
use fencepost::internals::model::Model;
use fencepost::internals::verdict::Budget;
use proptest::prelude::*;
use std::fmt::Write as _;

/// What a thread does.
#[derive(Clone, Debug)]
enum Part {
    Access(&'static str),
    /// What it does with one of the mutexes, if that is taken, or could be.
    Region {
        mutex: usize,
        tries: bool,
        body: Vec<Part>,
    },
    /// An unlock of a mutex that it does not hold.
    Unlock(usize),
}

/// How the mutexes are written.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// Locked by all regions.
    Recursive,
    /// Locked by all regions; those inside another one of the same mutex find that it is held.
    Checking,
    /// Locked by the outermost region, so that the others are not written.
    Ordinary {
        /// Whether what they have inside is written.
        enters: bool,
    },
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let accesses = [
        "x = 1;",
        "x = 2;",
        "r = x;",
        "y = r + 1;",
        "r = y;",
        "z = x;",
        "s = z;",
        "s = y;",
    ];
    let leaf = prop_oneof![
        8 => prop::sample::select(accesses.to_vec()).prop_map(Part::Access),
        1 => (0..2_usize).prop_map(Part::Unlock),
    ];
    let part = leaf.prop_recursive(4, 10, 3, |inner| {
        let body = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            1 => inner,
            4 => (0..2_usize, prop::bool::weighted(0.3), body)
                .prop_map(|(mutex, tries, body)| Part::Region { mutex, tries, body }),
        ]
    });
    prop::collection::vec(part, 1..4)
}

fn print(parts: &[Part], kind: Kind, held: [bool; 2], text: &mut String) {
    for part in parts {
        match part {
            Part::Access(access) => {
                let _ = write!(text, "{access} ");
            }
            Part::Unlock(mutex) if held[*mutex] => {}
            Part::Unlock(mutex) => {
                if !matches!(kind, Kind::Ordinary { .. }) {
                    let _ = write!(text, "assert(pthread_mutex_unlock(&m{mutex}) == EPERM); ");
                }
            }
            Part::Region { mutex, tries, body } => {
                let again = held[*mutex];
                let mut inside = held;
                inside[*mutex] = true;
                if again && kind == Kind::Checking {
                    let (call, error) = if *tries {
                        ("trylock", "EBUSY")
                    } else {
                        ("lock", "EDEADLK")
                    };
                    let _ = write!(text, "assert(pthread_mutex_{call}(&m{mutex}) == {error}); ");
                    continue;
                }
                if let (true, Kind::Ordinary { enters }) = (again, kind) {
                    if enters {
                        print(body, kind, inside, text);
                    }
                    continue;
                }
                let call = match (tries, again) {
                    (true, true) => "assert(pthread_mutex_trylock(&m@) == 0); { ",
                    (true, false) => "if (pthread_mutex_trylock(&m@) == 0) { ",
                    (false, _) => "pthread_mutex_lock(&m@); { ",
                };
                text.push_str(&call.replace('@', &mutex.to_string()));
                print(body, kind, inside, text);
                let _ = write!(text, "pthread_mutex_unlock(&m{mutex}); }} ");
            }
        }
    }
}

fn program(threads: &[Vec<Part>; 2], kind: Kind) -> String {
    let initial = match kind {
        Kind::Recursive => "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
        Kind::Checking => "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
        Kind::Ordinary { .. } => "PTHREAD_MUTEX_INITIALIZER",
    };
    let mut text = format!(
        "#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n\
         static volatile int x, y, z;\n\
         static pthread_mutex_t m0 = {initial}, m1 = {initial};\nstatic int seen[2][2];\n"
    );
    for (number, parts) in threads.iter().enumerate() {
        let _ = write!(
            text,
            "static void *f{number}(void *u) {{ int r = 0, s = 0; "
        );
        print(parts, kind, [false; 2], &mut text);
        let _ = writeln!(
            text,
            "seen[{number}][0] = r; seen[{number}][1] = s; return u; }}"
        );
    }
    text + "int main(void) { pthread_t a, b; pthread_create(&a, NULL, f0, NULL);\
            pthread_create(&b, NULL, f1, NULL); pthread_join(a, NULL); pthread_join(b, NULL);\n"
}

/// Whether some execution ends with these values in memory, and whether some execution never ends.
fn answers(program: &str, values: [u8; 4], model: Model) -> Vec<String> {
    let [r0, s0, r1, s1] = values;
    let text = format!(
        "{program}assert(!(seen[0][0] == {r0} && seen[0][1] == {s0} && seen[1][0] == {r1} && \
         seen[1][1] == {s1})); return 0; }}\n"
    );
    let stuck = ParseOptions::new().forbid_stuck();
    let mut answers = Vec::new();
    for options in [ParseOptions::new(), stuck] {
        let parsed = parse_with(Format::C, &text, &options);
        let program = parsed
            .program
            .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
        let how = CheckOptions::new(model).engine(Engine::Explicit);
        let budget = Budget::default().with_states(30_000);
        let report = check(&program, &how, &budget).expect("no defect");
        answers.push(report.verdict().word().to_owned());
    }
    answers
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn a_mutex_that_knows_its_owner_is_one_that_is_locked_once(
        threads in [parts(), parts()],
        recursive in any::<bool>(),
        model in prop::sample::select(vec![Model::Sc, Model::Tso, Model::Pso]),
        values in [0..3_u8, 0..3_u8, 0..3_u8, 0..3_u8],
    ) {
        let kind = if recursive { Kind::Recursive } else { Kind::Checking };
        let with = program(&threads, kind);
        let without = program(&threads, Kind::Ordinary { enters: recursive });
        let (with, alike) = (answers(&with, values, model), answers(&without, values, model));
        for (with, alike) in with.iter().zip(&alike) {
            let is_open = with == "unknown" || alike == "unknown";
            prop_assert!(is_open || with == alike, "{kind:?} {model}: {with}, {alike}\n{without}");
        }
    }
}
