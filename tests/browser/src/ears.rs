//! Ears for a page whose browser does not hand out its console.
//!
//! The server puts this script first into every page. It says at once, and in order, what the console would say in red: errors
//! that nobody caught, promises that nobody minded, `console.error`, files that did not load, what a policy refused.

/// The script, for a server that listens to complaints at `url`.
pub fn script(url: &str) -> String {
    const SCRIPT: &str = r#"<script>{
  const tell = (...words) => {
    const call = new XMLHttpRequest();
    // The page waits, so that nothing is said twice or too late.
    call.open('POST', 'URL', false);
    try { call.send(words.map(it => it && it.stack ? it + '\n' + it.stack : String(it)).join(' ')); } catch {}
  };
  addEventListener('error', e => {
    if (e.target && e.target !== window) tell('not loaded:', e.target.src || e.target.href);
    else tell('uncaught:', e.error || e.message);
  }, true);
  addEventListener('unhandledrejection', e => tell('nobody minded:', e.reason));
  addEventListener('securitypolicyviolation', e => tell('refused by policy:', e.blockedURI, e.violatedDirective));
  const error = console.error;
  console.error = (...words) => { tell(...words); error.apply(console, words); };
  document.currentScript.remove();
}</script>"#;
    SCRIPT.replace("URL", url)
}

/// A page with `script` before everything that can fail.
pub fn put_into(html: Vec<u8>, script: &str) -> Vec<u8> {
    const BEFORE: &str = "<head>";
    let Ok(text) = String::from_utf8(html) else { return Vec::new() };
    text.replacen(BEFORE, &format!("{BEFORE}{script}"), 1).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ears_come_first() {
        let page = put_into(b"<!doctype html><head><title>a</title>".to_vec(), &script("http://h/x"));
        let page = String::from_utf8(page).expect("text");
        assert!(page.starts_with("<!doctype html><head><script>{"), "{page}");
        assert!(page.ends_with("}</script><title>a</title>") && page.contains("'http://h/x'"), "{page}");
    }
}
