//! The file with the texts that the program does not carry. What fetches it stands in `index.html`, where it can begin before the program
//! is there, and knows the file's name.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetchTexts)]
    fn fetch_texts(done: JsValue);
}

/// Fetches the file, packed as it is, or says why it did not come.
pub fn fetch(done: impl FnOnce(Result<Vec<u8>, String>) + 'static) {
    let done = |packed: Vec<u8>, why: String| done(if why.is_empty() { Ok(packed) } else { Err(why) });
    fetch_texts(Closure::once_into_js(done));
}
