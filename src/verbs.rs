//! The questions that users ask of a program: the crate's public functions.
//!
//! All have one shape: the program, the options, the budget. The engines below report defects of
//! their own as [`Defect`](crate::verdict::Defect); here they become the crate's one [`Error`].

use crate::check as goals;
use crate::error::Error;
use crate::fences::{self, FenceReport};
use crate::formats::LitmusTest;
use crate::litmus::{self, LitmusReport};
use crate::program::{Goal, Program};
use crate::reference::Run;
use crate::robustness::{self, RobustReport};
use crate::verdict::{Budget, Verdict};
use crate::{CheckOptions, CheckReport, FenceOptions, RobustOptions};

/// Checks all goals of a program: its assertions and properties, and that no access leaves shared
/// memory.
///
/// ```
/// use fencepost::{Budget, CheckOptions, Engine, Model, Verdict, check, parse};
///
/// let text = "shared x; thread t0 { x = 1; } thread t1 { local r; r = x; assert(r == 0); }";
/// let program = parse(text).into_program()?;
/// let options = CheckOptions::new(Model::Sc).engine(Engine::Explicit);
/// let report = check(&program, &options, &Budget::default())?;
/// assert!(matches!(report.verdict(), Verdict::Violated(_)));
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// If the program has threads in any number of copies (`[*]`), `Holds` is for every number of them, and
/// a run is an execution of [an instance](CheckReport::instance), with as few copies as are needed.
///
/// # Errors
///
/// [`Error::Internal`] if an execution that an engine found is refused by the step-by-step
/// reference.
pub fn check(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<CheckReport, Error> {
    Ok(goals::check(program, options, budget)?)
}

/// Decides whether a violation found under a weak memory model can happen under sequential consistency,
/// too, by a short search. If it can, no fence prevents it.
///
/// ```
/// use fencepost::{Budget, CheckOptions, Model, Source, Verdict, check, check_under_sc, parse};
///
/// let text = "shared x, y;
///     thread t0 { local r; x = 1; r = y; }
///     thread t1 { local r; y = 1; r = x; }
///     final assert t0.r == 1 || t1.r == 1;";
/// let program = parse(text).into_program()?;
/// let (options, budget) = (CheckOptions::new(Model::Tso), Budget::default());
/// let report = check(&program, &options, &budget)?;
/// let Verdict::Violated((goal, _)) = report.verdict() else { panic!("it fails under TSO") };
/// let under_sc = check_under_sc(&program, goal, &options, &budget)?;
/// assert_eq!(under_sc, Verdict::Holds);
/// let report = report.compared(under_sc);
/// assert!(Source::of(&program).show(&report).to_string().contains("Under SC this cannot happen"));
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// As for [`check()`].
pub fn check_under_sc(
    program: &Program,
    goal: Goal,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<Verdict<Run>, Error> {
    Ok(goals::check_under_sc(program, goal, options, budget)?)
}

/// Decides whether a program is robust: whether a weak memory model adds no behaviour to those under
/// sequential consistency.
///
/// ```
/// use fencepost::{Budget, Model, RobustOptions, Verdict, parse, robust};
///
/// // Message passing needs no fences under TSO, but does under PSO.
/// let text = "shared data, flag;
///     thread t0 { data = 1; flag = 1; }
///     thread t1 { local r, s; r = flag; s = data; }";
/// let program = parse(text).into_program()?;
/// let tso = robust(&program, &RobustOptions::new(Model::Tso), &Budget::default())?;
/// assert!(matches!(tso.verdict(), Verdict::Holds));
/// let pso = robust(&program, &RobustOptions::new(Model::Pso), &Budget::default())?;
/// assert_eq!(pso.feasible().count(), 1);
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Internal`] if the witness of an attack is refused by the step-by-step reference.
pub fn robust(
    program: &Program,
    options: &RobustOptions,
    budget: &Budget,
) -> Result<RobustReport, Error> {
    Ok(robustness::robust(program, options, budget)?)
}

/// Finds the cheapest fences that make a program robust, or that make its assertions hold.
///
/// ```
/// use fencepost::{Aim, Budget, FenceOptions, Format, Model, cheapest_fences, parse, rewrite_as};
///
/// let text = "shared x, y;
///     thread t0 { local r; x = 1; r = y; }
///     thread t1 { local r; y = 1; r = x; }";
/// let program = parse(text).into_program()?;
/// let options = FenceOptions::new(Model::Tso, Aim::Robustness);
/// let report = cheapest_fences(&program, &options, &Budget::default())?;
/// let changes = report.changes(&program).expect("fences make every program robust");
/// assert_eq!(changes.len(), 2);
/// let fenced = rewrite_as(Format::Fence, text, &program, &changes)?;
/// assert_eq!(fenced.matches("fence").count(), 2);
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Internal`] if an execution is refused by the step-by-step reference, or if a second engine
/// finds that the fences do not suffice.
pub fn cheapest_fences(
    program: &Program,
    options: &FenceOptions,
    budget: &Budget,
) -> Result<FenceReport, Error> {
    Ok(fences::cheapest_fences(program, options, budget)?)
}

/// Answers a litmus test: [checks](check()) it, and lists its final states.
///
/// ```
/// use fencepost::{Budget, CheckOptions, Format, Model, Verdict, check_litmus, parse_as};
///
/// let text = "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n\
///             ~exists (0:EAX=0 /\\ 1:EAX=0)\n";
/// let parsed = parse_as(Format::Litmus, text);
/// let test = parsed.litmus.clone().expect("this is a litmus test");
/// let options = CheckOptions::new(Model::Tso);
/// let report = check_litmus(&parsed.into_program()?, &test, &options, &Budget::default())?;
/// assert_eq!(report.verdict(), Verdict::Violated(()));
/// assert_eq!((report.states.count(), report.states.positive()), (4, 1));
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Internal`] as for [`check()`], and if the engine's answer contradicts the final states.
pub fn check_litmus(
    program: &Program,
    test: &LitmusTest,
    options: &CheckOptions,
    budget: &Budget,
) -> Result<LitmusReport, Error> {
    Ok(litmus::check_litmus(program, test, options, budget)?)
}
