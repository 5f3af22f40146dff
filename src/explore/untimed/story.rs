//! A schedule of the question as an ordinary story: one thing a second, each at its own.

use super::{Act, Guard, Question, Step};

impl Question {
    /// The scenario in which this happens, in this order. Whatever the workers have left to do after it they do not do.
    pub fn story(&self, acts: &[Act]) -> String {
        let mut steps: Vec<Vec<String>> = vec![Vec::new(); self.workers];
        let mut ends = String::new();
        let mut s = self.start();
        for (i, act) in acts.iter().enumerate() {
            let at = i + 1;
            if let Act::Go(w) = act {
                let w = usize::from(*w);
                let next = s.workers[w].next;
                steps[w].push(["\"wait until ", &at.to_string(), "s\", \"", verb(next), "\""].concat());
            } else {
                ends.push_str(&["[[fault]]\nevict = \"lock\"\nat = \"", &at.to_string(), "s\"\n\n"].concat());
            }
            s = self.after(&s, *act);
        }
        let mut out = [
            "schema = \"fencepost.scenario/1\"\n",
            "title = \"The lease ends whenever it is worst\"\n",
            "lock.ttl = \"1h\"\n",
            "client = { check_deadline = false, on_reject = \"continue\" }\n",
            "horizon = \"",
            &(acts.len() + 60).to_string(),
            "s\"\n\n",
        ]
        .concat();
        for (w, steps) in steps.iter().enumerate().filter(|(_, steps)| !steps.is_empty()) {
            let name = ["W", &(w + 1).to_string()].concat();
            out += &["[[worker]]\nname = \"", &name, "\"\nsteps = [", &steps.join(", "), ", \"stop\"]\n\n"].concat();
        }
        let protection = match self.guard {
            Guard::Unfenced => "safe-release",
            Guard::Fenced => "fencing",
            Guard::Activated => "activation",
        };
        [out, ends, ["[[design]]\nprotection = \"", protection, "\"\n"].concat()].concat()
    }
}

fn verb(step: Step) -> &'static str {
    match step {
        Step::Acquire => "acquire",
        Step::Activate => "activate",
        Step::Read => "read",
        Step::Write => "write",
        Step::Release => "release",
        Step::Done => unreachable!("a worker that is done does nothing"),
    }
}
