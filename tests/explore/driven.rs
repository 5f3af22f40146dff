//! The panel of a search without a browser: what the page asks for is answered by the second program, one job after the other, in any order.

use fencepost::annex;
use fencepost::app::explore::Explore;
use fencepost::app::job::{Job, Place, Standing};
use fencepost::app::update::update;
use fencepost::app::{Action, AppState, Frame, Panel, Room, Theme};
use std::rc::Rc;

pub const TWO_WORKERS: &str = include_str!("two-workers.toml");

/// The page with the panel open on this story.
pub struct Page {
    pub state: Rc<AppState>,
    ms: u32,
    lanes: u8,
}

impl Page {
    /// `lanes`: how many workers there are; none if jobs are done on the page.
    pub fn open(story: &str, lanes: u8) -> Page {
        let frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };
        let state = Rc::new(AppState::new(story.into(), None, None, Theme::Auto, frame));
        let mut page = Page { state, ms: 0, lanes };
        page.act(Action::Panel(Some(Panel::Explore)));
        page.answer(Place::Explore);
        page
    }

    pub fn act(&mut self, action: Action) {
        let now = Action::Explore(Explore::Now { ms: self.ms, lanes: self.lanes });
        self.state = update(update(self.state.clone(), now), action);
    }

    pub fn set(&mut self, changes: &[(&str, &str)]) {
        for (what, value) in changes {
            self.act(Action::Explore(Explore::Set((*what).into(), (*value).into())));
        }
        self.answer(Place::Explore);
    }

    pub fn run(&mut self, on: bool) {
        self.act(Action::Explore(Explore::Run(on)));
    }

    /// Does the job of a place, if there is one. Each takes 40 ms.
    pub fn answer(&mut self, place: Place) -> bool {
        let working = |s: &Rc<AppState>| {
            let task = s.jobs.at(place).filter(|t| matches!(t.standing, Standing::Working { .. }))?;
            Some((task.number, task.job.write()))
        };
        let Some((number, job)) = working(&self.state) else { return false };
        let texts: Vec<String> = job.iter().map(|t| t.to_string()).collect();
        self.ms += 40;
        let action = match annex::answer(&texts) {
            Ok(texts) => Action::Answered(number, texts),
            Err(why) => Action::Unanswered(number, why.into()),
        };
        self.act(action);
        true
    }

    /// Does jobs until the search has ended by itself, or so many have been done. The last lanes come first.
    pub fn work(&mut self, most: usize) -> usize {
        let mut done = 0;
        while done < most {
            let mut places: Vec<Place> = self.state.jobs.working().map(|t| t.job.place()).collect();
            places.sort_by_key(|p| std::cmp::Reverse(p.lane()));
            let Some(place) = places.first() else { break };
            // A walk is given up now and then, as if its worker had died.
            if done % 31 == 3 {
                annex::forget();
            }
            self.answer(*place);
            done += 1;
        }
        done
    }

    /// What has been counted, as the second program wrote it.
    pub fn sum(&self) -> serde_json::Value {
        let task = self.state.jobs.at(Place::Explore).expect("the panel was drawn");
        assert!(matches!(task.job, Job::Explore { .. }));
        serde_json::from_str(&task.answer[0]).expect("counts")
    }

    /// Of each design: schedules run, those that went on like others, and how many broke the first three promises.
    pub fn counts(&self) -> Vec<(u64, u64, [u64; 3])> {
        let sum = self.sum();
        let arms = sum["arms"].as_array().expect("a list");
        let of = |arm: &serde_json::Value, get: &dyn Fn(&serde_json::Value) -> u64| {
            arm["levels"].as_array().expect("a list").iter().map(|l| get(&l["count"])).sum::<u64>()
        };
        let whole = |n: &serde_json::Value| n.as_u64().expect("a count");
        arms.iter()
            .map(|arm| {
                let broken = [0, 1, 2].map(|p: usize| of(arm, &|c| whole(&c["broken"][p])));
                (of(arm, &|c| whole(&c["schedules"])), of(arm, &|c| whole(&c["merged"])), broken)
            })
            .collect()
    }
}

/// The bounds of the pinned counts.
pub const SMALL: [(&str, &str); 4] = [("kind drop", "false"), ("most pause", "1"), ("most delay", "1"), ("edges", "1")];
