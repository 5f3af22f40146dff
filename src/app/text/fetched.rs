//! Words about texts that are still to come.

use crate::base::text::said;

pub const STORIES_COMING: &str = "The stories are on their way.";
pub const SERVICES_COMING: &str = "What is said about them is on its way.";
pub const NOT_THE_FILE: &str = "what came is not the file that belongs to this page";

pub fn texts_failed(why: &str) -> String {
    said("The file with these texts did not come: {0}.", &[why])
}

pub fn story_coming(id: &str) -> String {
    said("The story {0} is on its way.", &[id])
}

pub fn story_failed(id: &str, why: &str) -> String {
    said("The story {0} did not come: {1}. What stands here is another one.", &[id, why])
}
