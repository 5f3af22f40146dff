//! How a verdict says who and which grant.
//!
//! Nothing here runs while events are folded: a property keeps ids, and only the report at the end turns them into a sentence.

use super::found::{Breach, Hole};
use super::ledger::Ledger;
use crate::base::text::natural;
use crate::trace::Names;
use crate::trace::names::{NBSP, at, length, reading};

/// Names of participants, and of grants.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    pub names: Names<'a>,
    pub ledger: &'a Ledger,
}

impl Words<'_> {
    /// A breach in one plain sentence.
    pub fn sentence(&self, b: &Breach) -> String {
        let mut out = String::new();
        let mut holes = b.holes.iter();
        for c in b.sentence.chars() {
            match c {
                '*' => holes.next().into_iter().for_each(|h| self.fill(&mut out, *h)),
                c => out.push(c),
            }
        }
        out
    }

    fn fill(&self, out: &mut String, hole: Hole) {
        let own: String;
        out.push_str(match hole {
            Hole::Text(text) => text,
            Hole::Who(id) => self.names.node(id),
            Hole::The(id) => {
                let name = self.names.node(id);
                if name == "resource" { "the resource" } else { name }
            }
            Hole::Whose(g, by) if self.ledger.grant(g).worker != by => return self.fill(out, Hole::Their(g)),
            Hole::Whose(g, _) => {
                out.push_str("its own grant");
                out.push(NBSP);
                return self.fill(out, Hole::Grant(g));
            }
            Hole::Their(g) => {
                out.push_str(self.names.node(self.ledger.grant(g).worker));
                out.push_str("’s grant");
                out.push(NBSP);
                return self.fill(out, Hole::Grant(g));
            }
            made => {
                own = match made {
                    Hole::Number(n) => natural(n),
                    Hole::Lock(lock) => self.names.lock(lock),
                    Hole::Grant(g) => self.names.number(self.ledger.grant(g).lock, self.ledger.grant(g).number),
                    Hole::At(t) => at(t),
                    Hole::Reading(t) => reading(t),
                    Hole::Length(s) => length(s),
                    _ => String::new(),
                };
                &own
            }
        });
    }
}
