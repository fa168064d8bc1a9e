//! Proofs that a formula has no model, in the format DRAT: each clause follows from those before it by
//! *units*: if all its literals are false, a clause all of whose literals but one are false makes the last
//! one true, and so on, until some clause has no literal left that is not false.
//!
//! Each clause that is added is checked, in order; the proof ends with the empty clause. Clauses with the
//! weaker property RAT, which only keep the formula satisfiable if it is, are refused: the solver that
//! Fencepost uses does not write any.
//!
//! What is proved is about the formula. That it is satisfiable if and only if a goal is reached is the word of
//! the encoder, which this module knows nothing of.

use super::Refusal;
use std::collections::HashMap;

/// A proof that takes more looks at clauses than this is given up.
const MOST_LOOKS: u64 = 20_000_000_000;

/// A formula has at most this many variables.
const MOST_VARIABLES: usize = 50_000_000;

/// A proof that was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refuted {
    /// The clauses of the formula.
    pub clauses: usize,
    /// The clauses that the proof adds.
    pub steps: usize,
}

/// Checks a proof that a formula in DIMACS has no model.
///
/// # Errors
///
/// What cannot be read, or the first step that does not follow.
pub fn refutes(dimacs: &str, proof: &str) -> Result<Refuted, Refusal> {
    let mut clauses = Vec::new();
    for line in dimacs.lines() {
        if !line.starts_with(['c', 'p']) && !line.trim().is_empty() {
            clauses.push(literals(line)?);
        }
    }
    if !dimacs.lines().any(|line| line.starts_with("p cnf ")) {
        return Err(Refusal::unreadable("the formula is not in DIMACS"));
    }
    let highest = clauses.iter().flatten().map(|lit| lit.unsigned_abs());
    let variables = highest.max().unwrap_or(0) as usize;
    if variables > MOST_VARIABLES {
        return Err(Refusal::unreadable("the formula has too many variables"));
    }
    let mut checker = Checker::new(variables);
    let count = clauses.len();
    for clause in clauses {
        checker.add(clause)?;
    }
    let mut steps = 0;
    for line in proof.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if checker.contradicts {
            break;
        }
        if let Some(removed) = line.strip_prefix("d ") {
            checker.remove(&literals(removed)?);
            continue;
        }
        if line.starts_with('c') {
            continue;
        }
        let clause = literals(line)?;
        steps += 1;
        if clause
            .iter()
            .any(|lit| lit.unsigned_abs() as usize > variables)
        {
            return Err(Refusal::refuted(format!("step {steps} has a new variable")));
        }
        if !checker.follows(&clause)? {
            return Err(Refusal::refuted(format!(
                "step {steps} does not follow by units"
            )));
        }
        checker.add(clause)?;
    }
    if !checker.contradicts {
        return Err(Refusal::refuted(
            "the proof does not end in a contradiction",
        ));
    }
    Ok(Refuted {
        clauses: count,
        steps,
    })
}

/// The literals of a line that ends in 0, sorted, without repetition.
fn literals(line: &str) -> Result<Vec<i32>, Refusal> {
    let wrong = || Refusal::unreadable(format!("`{line:.60}` is no clause"));
    let numbers = line.split_whitespace().map(str::parse::<i32>);
    let numbers: Result<Vec<i32>, _> = numbers.collect();
    let mut clause = numbers.map_err(|_| wrong())?;
    if clause.pop() != Some(0) || clause.iter().any(|&lit| lit == 0 || lit == i32::MIN) {
        return Err(wrong());
    }
    clause.sort_unstable();
    clause.dedup();
    Ok(clause)
}

struct Checker {
    clauses: Vec<Vec<i32>>,
    removed: Vec<bool>,
    /// The clauses with these literals, sorted.
    numbers: HashMap<Vec<i32>, Vec<usize>>,
    /// By literal: the clauses of which it is one of the first two.
    watching: Vec<Vec<usize>>,
    /// By literal: whether it is true.
    is_true: Vec<bool>,
    /// The literals that are true, in the order in which they became true.
    trail: Vec<i32>,
    /// Up to here the consequences have been drawn.
    done: usize,
    contradicts: bool,
    looks: u64,
}

fn at(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl Checker {
    fn new(variables: usize) -> Self {
        Self {
            clauses: Vec::new(),
            removed: Vec::new(),
            numbers: HashMap::new(),
            watching: vec![Vec::new(); 2 * variables + 2],
            is_true: vec![false; 2 * variables + 2],
            trail: Vec::new(),
            done: 0,
            contradicts: false,
            looks: 0,
        }
    }

    fn is_false(&self, lit: i32) -> bool {
        self.is_true[at(-lit)]
    }

    fn set(&mut self, lit: i32) {
        self.is_true[at(lit)] = true;
        self.trail.push(lit);
    }

    /// Adds a clause that follows, and draws the consequences.
    fn add(&mut self, mut clause: Vec<i32>) -> Result<(), Refusal> {
        let number = self.clauses.len();
        self.numbers.entry(clause.clone()).or_default().push(number);
        // Those that are not false first: they stay so until something else becomes true.
        clause.sort_by_key(|&lit| self.is_false(lit));
        let open = clause.iter().filter(|&&lit| !self.is_false(lit)).count();
        if let (0 | 1, first) = (open, clause.first().copied()) {
            match first.filter(|_| open == 1) {
                None => self.contradicts = true,
                Some(lit) if !self.is_true[at(lit)] => self.set(lit),
                Some(_) => {}
            }
        }
        for &lit in clause.iter().take(2) {
            self.watching[at(lit)].push(number);
        }
        self.clauses.push(clause);
        self.removed.push(false);
        self.contradicts |= self.propagate()?;
        Ok(())
    }

    fn remove(&mut self, clause: &[i32]) {
        // A clause that makes a literal true stays, as in other checkers.
        let numbers = self.numbers.get_mut(clause);
        if clause.len() > 1
            && let Some(number) = numbers.and_then(Vec::pop)
        {
            self.removed[number] = true;
        }
    }

    /// Whether a clause follows by units.
    fn follows(&mut self, clause: &[i32]) -> Result<bool, Refusal> {
        let start = self.trail.len();
        let mut conflict = false;
        for &lit in clause {
            conflict |= self.is_true[at(lit)];
            if !conflict && !self.is_false(lit) {
                self.set(-lit);
            }
        }
        let conflict = conflict || self.propagate()?;
        for lit in self.trail.drain(start..) {
            self.is_true[at(lit)] = false;
        }
        self.done = start;
        Ok(conflict)
    }

    /// Draws all consequences. Whether some clause has no literal left.
    fn propagate(&mut self) -> Result<bool, Refusal> {
        while let Some(&lit) = self.trail.get(self.done) {
            self.done += 1;
            let mut watching = std::mem::take(&mut self.watching[at(-lit)]);
            let mut kept = 0;
            let mut conflict = false;
            for index in 0..watching.len() {
                let number = watching[index];
                self.looks += 1;
                if self.removed[number] {
                    continue;
                }
                if conflict || !self.moves(number, -lit) {
                    watching[kept] = number;
                    kept += 1;
                    let first = self.clauses[number][0];
                    conflict |= self.is_false(first);
                    if !conflict && !self.is_true[at(first)] {
                        self.set(first);
                    }
                }
            }
            watching.truncate(kept);
            self.watching[at(-lit)] = watching;
            if self.looks > MOST_LOOKS {
                return Err(Refusal::refuted("to check the proof takes too long"));
            }
            if conflict {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets another literal than this one, which is false, be one of the first two, if there is one that is
    /// not false. Else the other of the two is the first.
    fn moves(&mut self, number: usize, from: i32) -> bool {
        let clause = &mut self.clauses[number];
        if clause[0] == from && clause.len() > 1 {
            clause.swap(0, 1);
        }
        if self.is_true[at(clause[0])] {
            return false;
        }
        for index in 2..clause.len() {
            self.looks += 1;
            if !self.is_true[at(-clause[index])] {
                clause.swap(1, index);
                let lit = clause[1];
                self.watching[at(lit)].push(number);
                return true;
            }
        }
        false
    }
}
