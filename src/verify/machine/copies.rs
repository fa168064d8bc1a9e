//! The machine under SC as threads in any number of copies.

use super::goals::goal;
use super::{Config, Machine};
use crate::codec::Numbers;
use crate::expr::Var;
use crate::program::{Kind, Program};
use crate::views::{Family, Needs};

/// The copies in a view.
struct Copies<'v> {
    config: &'v Config,
    classes: &'v [usize],
    give: &'v dyn Fn(&mut Config, usize, usize),
}

impl Copies<'_> {
    /// Whether the predicate is as wanted for some choice of different copies.
    fn some(
        &self,
        config: &Config,
        named: &[(usize, usize)],
        taken: &mut Vec<usize>,
        wanted: &dyn Fn(&Config) -> bool,
    ) -> bool {
        let Some(((thread, class), rest)) = named.split_first() else {
            return wanted(config);
        };
        (0..self.classes.len()).any(|copy| {
            if taken.contains(&copy) || self.classes[copy] != *class {
                return false;
            }
            let mut config = config.clone();
            (self.give)(&mut config, *thread, copy);
            taken.push(copy);
            let found = self.some(&config, rest, taken, wanted);
            taken.pop();
            found
        })
    }
}

impl Machine<'_> {
    /// The copies that a property names: threads of the text, each with its class.
    fn named(&self, property: usize) -> Vec<(usize, usize)> {
        let mut named = Vec::new();
        self.program.properties[property].1.each_var(&mut |var| {
            if let Var::Of(thread, _) | Var::At(thread, _) = var {
                named.extend(self.program.class_of(thread).map(|class| (thread, class)));
            }
        });
        named.sort_unstable();
        named.dedup();
        named
    }

    /// Whether the property counts.
    fn is_claimed(&self, property: usize) -> bool {
        match self.program.properties[property].0 {
            Kind::Forbid | Kind::Final | Kind::Stuck => true,
            Kind::Exists => self.never.contains(&property),
            // Refused by the callers.
            Kind::Starved => false,
        }
    }

    /// Whether all threads of a view are as wanted.
    fn all(&self, view: &Copies<'_>, wanted: &dyn Fn(&Config, usize) -> bool) -> bool {
        let mut others = 0..self.program.threads.len();
        others.all(|t| self.program.class_of(t).is_some() || wanted(view.config, t))
            && view.classes.iter().enumerate().all(|(copy, &class)| {
                let mut config = view.config.clone();
                (view.give)(&mut config, class, copy);
                wanted(&config, class)
            })
    }
}

impl Family for Machine<'_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn inside(&self, config: &Config) -> Option<usize> {
        self.inside(config)
    }

    fn location(&self, config: &Config, thread: usize) -> usize {
        config.locations[thread]
    }

    fn steps_of(&self, config: &Config, thread: usize, see: &mut dyn FnMut(Config)) {
        let mut steps = Vec::new();
        self.instructions_of(config, thread, &mut steps);
        for step in steps {
            if let Some(next) = self.after(config, step) {
                see(next);
            }
        }
    }

    fn write_local(&self, config: &Config, thread: usize, out: &mut Vec<i32>) {
        self.write_thread(config, thread, out);
    }

    fn read_local(
        &self,
        config: &mut Config,
        thread: usize,
        numbers: &mut Numbers<'_>,
    ) -> Option<()> {
        self.read_thread(config, thread, numbers)
    }

    fn fails(&self, config: &Config, thread: usize) -> Option<String> {
        self.fails_at(config, thread)
    }

    fn seen(
        &self,
        config: &Config,
        classes: &[usize],
        give: &dyn Fn(&mut Config, usize, usize),
    ) -> Option<String> {
        if self.inside(config).is_some() {
            return None;
        }
        let view = Copies {
            config,
            classes,
            give,
        };
        let ends = |config: &Config, t: usize| self.program.threads[t].ends(config.locations[t]);
        for (number, (kind, predicate)) in self.program.properties.iter().enumerate() {
            if !self.is_claimed(number) {
                continue;
            }
            let named = self.named(number);
            let some = |wanted: bool| {
                let holds = |config: &Config| Self::holds(config, predicate) == wanted;
                view.some(config, &named, &mut Vec::new(), &holds)
            };
            let reached = match kind {
                Kind::Forbid => some(true),
                Kind::Final => self.all(&view, &ends) && some(false),
                Kind::Exists => self.all(&view, &ends) && some(true),
                Kind::Stuck => {
                    let rests =
                        |config: &Config, t: usize| ends(config, t) || self.waits(config, t);
                    some(true) && !self.all(&view, &ends) && self.all(&view, &rests)
                }
                Kind::Starved => false,
            };
            if reached {
                return Some(goal(number, *kind));
            }
        }
        None
    }

    fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        for (number, (kind, _)) in self.program.properties.iter().enumerate() {
            if !self.is_claimed(number) {
                continue;
            }
            // One copy more may be the one that has not ended.
            let (few, more) = match kind {
                Kind::Forbid | Kind::Starved => (false, 0),
                Kind::Final | Kind::Exists => (true, 0),
                Kind::Stuck => (true, 1),
            };
            needs.few |= few;
            needs.copies = needs.copies.max(self.named(number).len() + more);
            needs.properties += 1;
        }
        needs
    }
}
