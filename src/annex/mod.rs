//! The second program: what the page does not need for its first view, nor for editing. It is fetched when it is first needed, and works
//! in a thread of its own where the browser has one for it.
//!
//! [`answer`] takes a job as texts and gives the answer as texts. No answer depends on the jobs before it, so it does not matter who
//! asks, how often the program is started anew, or where it runs. (A search leaves the walk that is under way for the next job, to save it
//! the way back there; [`forget`] gives that back.) An answer may be markup in the page's own dialect
//! ([`base::markup`](crate::base::markup)), words in `data-do` included, which the page puts where it belongs.
//!
//! Pure: who carries the texts is `src/bin/annex.rs` and `static/annex-start.js`.

mod explore;
mod nine;
mod outcomes;
#[cfg(feature = "charts")]
mod sweep;
mod table;
mod why;

use crate::app::job::{Job, VERSION};
use crate::app::outcomes::Told;
use crate::app::text;
use crate::export::{jobs, panel};
use std::rc::Rc;

/// Does a job. The first text of a job and of an answer is the version.
///
/// # Errors
/// The job is of another version, or none at all.
pub fn answer(job: &[String]) -> Result<Vec<String>, String> {
    let job = match job.split_first() {
        Some((version, rest)) if version == VERSION => Job::read(rest).ok_or(text::ANNEX_UNKNOWN)?,
        _ => return Err(text::ANNEX_OTHER.to_string()),
    };
    let mut out = vec![VERSION.to_string()];
    match job {
        Job::Share(wish) => out.push(panel::panel(&wish)),
        Job::Export { word, wish } => out.extend(jobs::export(&word, &wish)),
        Job::Picture { name, picture, text } => out.extend(jobs::picture(&picture, &name, &text)),
        Job::Bring { kind, what } => out.extend(jobs::bring(kind.word(), &what)),
        Job::Outcomes { texts } => {
            out.push(table::head());
            for told in &Told::read(&texts) {
                let (letters, row) = table::row(told);
                out.extend([letters, row]);
            }
            out.push(table::FOOT.to_string());
        }
        Job::Nine { texts } => out.push(nine::nine(&texts)?),
        Job::Explore { texts } => out.extend(explore::panel(&borrowed(&texts))?),
        Job::Search { texts, .. } => out.extend(explore::walk(&borrowed(&texts))?),
        Job::Found { texts } => out.extend(explore::open(&borrowed(&texts))?),
        Job::Why { texts } => out.extend(why::panel(&borrowed(&texts)).ok_or(text::NO_WHY)?),
        #[cfg(feature = "charts")]
        Job::Sweep { texts } => out.extend(sweep::panel(&borrowed(&texts))?),
        #[cfg(feature = "charts")]
        Job::Unit { texts, .. } => out.push(sweep::unit(&borrowed(&texts))?),
        #[cfg(feature = "charts")]
        Job::Make { texts } => out.extend(sweep::make(&borrowed(&texts))?),
        // Without charts there is nobody who would ask.
        #[cfg(not(feature = "charts"))]
        Job::Sweep { .. } | Job::Unit { .. } | Job::Make { .. } => return Err(text::ANNEX_UNKNOWN.to_string()),
    }
    Ok(out)
}

/// Gives back what a job has left for the next one.
pub fn forget() {
    explore::forget();
}

fn borrowed(texts: &[Rc<str>]) -> Vec<&str> {
    texts.iter().map(|t| &**t).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::preset;

    fn ask(job: &Job) -> Result<Vec<String>, String> {
        let texts: Vec<String> = job.write().iter().map(|t| t.to_string()).collect();
        answer(&texts)
    }

    #[test]
    fn stories_end_as_their_files_claim() {
        let text = preset::by_id("gc-pause").expect("the first story").text;
        let told = |text: &str| Told {
            group: "".into(),
            number: "09".into(),
            id: "a".into(),
            title: "A <b>".into(),
            text: text.into(),
        };
        let mut texts = Vec::new();
        told(text).write(&mut texts);
        told("nonsense [").write(&mut texts);
        let answer = ask(&Job::Outcomes { texts }).expect("an answer");
        assert_eq!((answer.len(), &*answer[0], &*answer[2], &*answer[4]), (7, VERSION, "xxvvxxxvv", "---------"));
        let count = |row: &str, what: &str| row.matches(what).count();
        assert_eq!((count(&answer[3], "data-do=\"case a "), count(&answer[3], "td class=\"bad")), (9, 5));
        assert_eq!((count(&answer[5], "<tr"), count(&answer[3], "A &lt;b&gt;")), (0, 1));
    }

    fn nine(text: &str, own: bool, ticked: &[&str]) -> Result<Vec<String>, String> {
        let mut texts: Vec<std::rc::Rc<str>> = vec![text.into(), if own { "own" } else { "" }.into()];
        texts.extend(ticked.iter().map(|t| std::rc::Rc::from(*t)));
        ask(&Job::Nine { texts })
    }

    #[test]
    fn nine_designs_stand_in_their_order() {
        let text = preset::by_id("gc-pause").expect("the first story").text;
        let answer = nine(text, false, &["0", "1"]).expect("an answer");
        let panel = &answer[1];
        let words: Vec<&str> =
            panel.split("<li class=\"cell\" key=\"").skip(1).map(|c| c.split('"').next().unwrap()).collect();
        let order = ["none", "safe-release", "consensus", "redlock", "idempotency"];
        assert_eq!(words[..5], order);
        assert_eq!(words[5..], ["fencing", "activation", "consensus+fencing", "consensus+activation"]);
        let count = |what: &str| panel.matches(what).count();
        assert_eq!((count("class=\"vd bad\""), count("class=\"vd good\""), count("checked=\"true\"")), (5, 4, 2));
        assert_eq!((count("class=\"dg rail\""), count("class=\"th\"")), (2, 9));
        assert!(panel.contains("Stale write at 15.005"));
    }

    #[test]
    fn an_own_story_gets_designs_that_it_does_not_have() {
        let text = "schema = \"fencepost.scenario/1\"\n[[worker]]\nname = \"W1\"\n[[worker]]\nname = \"W2\"\nstart = \"2s\"\n\
                    [[fault]]\npause = \"W1\"\nat = \"500ms\"\nuntil = \"15s\"\n[[design]]\nprotection = \"fencing\"\n";
        let panel = |own: bool| nine(text, own, &["0"]).expect("an answer")[1].clone();
        assert_eq!(panel(true).matches("class=\"th\"").count(), 9);
        assert_eq!(panel(true).matches("data-set=\"try ").count(), 8);
        assert_eq!(panel(false).matches("class=\"th\"").count(), 1);
        assert_eq!(panel(false).matches(text::NO_CASE).count(), 8);
        let broken = nine("[", true, &[]);
        assert_eq!(broken, Err(text::ANNEX_UNREADABLE.to_string()));
    }

    #[test]
    fn what_is_no_job_of_this_version_is_refused() {
        assert_eq!(answer(&[]), Err(text::ANNEX_OTHER.to_string()));
        assert_eq!(answer(&["1.0".to_string(), "outcomes".to_string()]), Err(text::ANNEX_OTHER.to_string()));
        assert_eq!(answer(&[VERSION.to_string(), "tea".to_string()]), Err(text::ANNEX_UNKNOWN.to_string()));
    }
}
