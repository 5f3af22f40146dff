//! Stories, and how they are told: each in every engine in which it can be, as a test of its own with the engine in its name.
//!
//! ```no_run
//! use browser_tests::story::{Story, Visitor};
//! use browser_tests::stories;
//!
//! fn a_reader_takes_an_edit_back(visitor: &Visitor) {
//!     let page = visitor.open("", 1440, 900, false);
//!     page.click("[aria-label=Undo]");
//! }
//!
//! const STORIES: &[Story] = stories![a_reader_takes_an_edit_back];
//!
//! browser_tests::story::tell(&[("page", STORIES)], &[]);
//! ```

use crate::engine::Engine;
use crate::harness::Browser;
use crate::pool::Pool;
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use std::sync::Arc;

/// What a person does, from opening the page to what they came for.
pub struct Story {
    pub name: &'static str,
    pub engines: &'static [Engine],
    pub tell: fn(&Visitor),
}

/// Stories for all engines; or, after `only &[Engine::Chromium];`, for these. Say at such a story why.
#[macro_export]
macro_rules! stories {
    (only $engines:expr; $($story:ident),+ $(,)?) => {
        &[$($crate::story::Story {
            name: stringify!($story), engines: $engines, tell: $story,
        }),+]
    };
    ($($story:ident),+ $(,)?) => {
        &[$($crate::story::Story {
            name: stringify!($story), engines: $crate::engine::Engine::ALL, tell: $story,
        }),+]
    };
}

/// Who a story is about: somebody with one of the browsers.
pub struct Visitor {
    engine: Engine,
    story: String,
    pool: Arc<Pool>,
}

impl Visitor {
    /// Somebody who has no story, but wants to look.
    pub fn passing(engine: Engine) -> Self {
        Self { engine, story: "passing".to_owned(), pool: Arc::default() }
    }

    /// Somebody else with a browser of the same engine, in which nothing is kept.
    pub fn stranger(&self) -> Self {
        Self { engine: self.engine, story: format!("{}-stranger", self.story), pool: Arc::default() }
    }

    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// What pictures of this story are called.
    pub(crate) fn story(&self) -> &str {
        &self.story
    }

    pub(crate) fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// Opens a path of the built page (`""` for the page itself, or such as `"#..."` and `"embed.html?..."`) for somebody who
    /// was never here, in a viewport of exactly this size, and waits until the program runs.
    #[track_caller]
    pub fn open(&self, path: &str, width: u32, height: u32, dark: bool) -> Browser {
        Browser::open(self, path, width, height, dark)
    }
}

/// Tells all stories of all files and says how they went, as `cargo test` expects it. Stories that look at the clock come last, each
/// alone. An argument chooses among them: `firefox::`, or a part of a story's name.
pub fn tell(files: &[(&str, &'static [Story])], timed: &[(&str, &'static [Story])]) -> ExitCode {
    let mut arguments = Arguments::from_args();
    // A story mostly waits for its browser; more than one for each engine would get in each other's way.
    arguments.test_threads.get_or_insert(Engine::ALL.len());
    let pool: Arc<Pool> = Arc::default();
    let together = libtest_mimic::run(&arguments, trials(files, &pool));
    arguments.test_threads = Some(1);
    let alone = libtest_mimic::run(&arguments, trials(timed, &pool));
    // The process is about to end, and browsers must not outlive it.
    drop(pool);
    if together.has_failed() { together.exit_code() } else { alone.exit_code() }
}

fn trials(files: &[(&str, &'static [Story])], pool: &Arc<Pool>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (file, stories) in files {
        for story in *stories {
            for engine in story.engines {
                let name = format!("{engine}::{file}::{}", story.name);
                let visitor = Visitor { engine: *engine, story: name.replace("::", "-"), pool: Arc::clone(pool) };
                let tell = story.tell;
                trials.push(Trial::test(name, move || {
                    tell(&visitor);
                    Ok(())
                }));
            }
        }
    }
    trials
}
