//! The second program, as a browser runs it: one door, through which jobs and answers go as lists of texts. `static/annex-start.js` starts it
//! and carries them.

use wasm_bindgen::prelude::*;

/// Does a job.
///
/// # Errors
/// Why there is no answer, as a text.
#[wasm_bindgen]
pub fn answer(job: Vec<String>) -> Result<Vec<String>, String> {
    fencepost::annex::answer(&job)
}

/// Gives back what a job has left for the next one, where the program goes on without its search.
#[wasm_bindgen]
pub fn forget() {
    fencepost::annex::forget();
}

fn main() {}
