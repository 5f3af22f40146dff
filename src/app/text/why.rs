//! What the page says about why a promise broke; the second program has words of its own in `why::words`.

pub const WHY: &str = "Why";
pub const WHY_TITLE: &str = "Say why";
pub const NO_WHY: &str = "There is nothing to say about this: the promise was kept, or the story cannot be run.";
