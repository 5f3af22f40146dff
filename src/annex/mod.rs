//! The second program: what the page does not need for its first view, nor for editing. It is fetched when it is first needed, and works
//! in a thread of its own where the browser has one for it.
//!
//! [`answer`] takes a job as texts and gives the answer as texts. It keeps nothing from one job to the next, so it does not matter who
//! asks, how often the program is started anew, or where it runs. An answer may be markup in the page's own dialect
//! ([`base::markup`](crate::base::markup)), words in `data-do` included, which the page puts where it belongs.
//!
//! Pure: who carries the texts is `src/bin/annex.rs` and `static/annex-start.js`.

mod outcomes;
mod why;

use crate::app::job::{Job, VERSION};
use crate::app::text;
use crate::export::{jobs, panel};

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
            for story in texts {
                out.push(outcomes::letters(&story));
            }
        }
        Job::Why { texts } => {
            let texts: Vec<&str> = texts.iter().map(|t| &**t).collect();
            out.extend(why::panel(&texts).ok_or(text::NO_WHY)?);
        }
    }
    Ok(out)
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
        let answer = ask(&Job::Outcomes { texts: vec![text.into(), "nonsense [".into()] }).expect("an answer");
        assert_eq!(answer, [VERSION, "xxvvxxxvv", "---------"]);
    }

    #[test]
    fn what_is_no_job_of_this_version_is_refused() {
        assert_eq!(answer(&[]), Err(text::ANNEX_OTHER.to_string()));
        assert_eq!(answer(&["1.0".to_string(), "outcomes".to_string()]), Err(text::ANNEX_OTHER.to_string()));
        assert_eq!(answer(&[VERSION.to_string(), "tea".to_string()]), Err(text::ANNEX_UNKNOWN.to_string()));
    }
}
