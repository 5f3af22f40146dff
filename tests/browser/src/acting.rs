//! What a person does with a page: pressing, typing, dragging.
//!
//! A press waits until what is pressed is enabled and lies still. Each deed ends when the page has heard the last of it, be it the
//! release of a key or of the pointer: what the page answers at once, a story may then read without waiting. What it answers
//! later (a worker, a file, a frame, a transition) has to be waited for, with `wait_until` and its kin.

use crate::driver::{Driver, Refusal};
use crate::engine::Engine;
use crate::harness::Browser;
use serde_json::{Value, json};
use std::path::Path;

/// Counts what is heard. A page that was left in the meantime counts nothing, and has heard all that it will.
const LISTEN: &str = "
    const [kind] = arguments;
    window.heard?.stop();
    const heard = { times: 0, stop: () => removeEventListener(kind, count, true) }, count = () => heard.times++;
    addEventListener(kind, count, true);
    window.heard = heard;";

/// What keeps an element from being pressed; nothing, if it is as it was two frames ago.
const AT_REST: &str = "
    const [it] = arguments;
    const place = () => [...it.getClientRects()].map(r => [r.x, r.y, r.width, r.height].join()).join(';');
    const frame = () => new Promise(requestAnimationFrame);
    if (it.matches(':disabled')) return 'it is disabled';
    const before = place();
    await frame();
    await frame();
    return !it.isConnected ? 'it is gone' : place() != before ? 'it moves' : '';";

const REVEAL: &str = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";

impl Browser {
    /// Clicks the middle of the first element that matches, once it is there, can be pressed and nothing covers it.
    #[track_caller]
    pub fn click(&self, css: &str) {
        self.until_heard("pointerup", 1, css, || {
            self.with_element(css, |element| {
                self.at_rest(element)?;
                self.driver().post(&format!("element/{element}/click"), &json!({}))
            });
        });
    }

    /// Replaces all text of a field by typing, as a person would.
    #[track_caller]
    pub fn fill(&self, css: &str, text: &str) {
        self.click(css);
        // WebKit's driver presses other keys than it is told when the machine is busy (`-` for a space); a person sees that, and types again.
        for _ in 0..if self.engine() == Engine::WebKit { 3 } else { 1 } {
            // Typed over what is selected, so that the page never sees the field empty in between.
            self.press("Control+a");
            if text.is_empty() {
                self.press("Delete");
            } else {
                self.type_text(text);
            }
            if self.eval("return document.activeElement.value") == text {
                return;
            }
        }
    }

    /// Types where the keyboard is, key by key. A line ends with Enter.
    #[track_caller]
    pub fn type_text(&self, text: &str) {
        let stroke = |key: &str| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        let strokes: Vec<Value> = text
            .chars()
            .flat_map(|it| if it == '\n' { stroke(key("Enter")) } else { stroke(it.encode_utf8(&mut [0; 4])) })
            .collect();
        self.keys(strokes, text);
    }

    /// Replaces all text of a field at once, as by pasting.
    #[track_caller]
    pub fn put(&self, css: &str, text: &str) {
        self.wait_for(css);
        let put = "const [css, text] = arguments, field = document.querySelector(css); field.focus(); field.value = text; \
             field.dispatchEvent(new Event('input', { bubbles: true }))";
        self.must(self.driver().eval(put, &[json!(css), json!(text)]), css);
    }

    /// Chooses a file in a field for files.
    #[track_caller]
    pub fn choose_file(&self, css: &str, file: &Path) {
        let body = json!({ "text": file.display().to_string() });
        self.with_element(css, |element| self.driver().post(&format!("element/{element}/value"), &body));
    }

    /// Presses a key where the focus is: `"Tab"`, `"?"`, `"Control+Shift+z"`.
    #[track_caller]
    pub fn press(&self, combination: &str) {
        let keys: Vec<&str> = match combination {
            "+" => vec!["+"],
            _ => combination.split('+').map(key).collect(),
        };
        let action = |kind: &str, key: &str| json!({ "type": kind, "value": key });
        let down = keys.iter().map(|key| action("keyDown", key));
        let up = keys.iter().rev().map(|key| action("keyUp", key));
        let actions: Vec<Value> = down.chain(up).collect();
        self.keys(actions, combination);
    }

    /// Presses a key until a JavaScript expression is true, or so often.
    #[track_caller]
    pub fn press_until(&self, combination: &str, most: usize, expression: &str) {
        for _ in 0..most {
            if self.eval(&format!("return !!({expression})")) == true {
                return;
            }
            self.press(combination);
        }
        self.wait_until(expression);
    }

    #[track_caller]
    fn keys(&self, actions: Vec<Value>, what: &str) {
        let releases = actions.iter().filter(|it| it["type"] == "keyUp").count();
        let body = json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] });
        self.until_heard("keyup", releases, what, || {
            self.must(self.driver().post("actions", &body), what);
        });
    }

    /// Moves the pointer to the middle of an element.
    #[track_caller]
    pub fn hover(&self, css: &str) {
        self.point(css, |target| vec![move_to(target, 0, 0)]);
    }

    /// Takes hold of the middle of an element, moves by so many pixels in small steps, and lets go.
    #[track_caller]
    pub fn drag(&self, css: &str, dx: i32, dy: i32) {
        const STEPS: i32 = 10;
        self.until_heard("pointerup", 1, css, || {
            self.point(css, |target| {
                let mut actions = vec![move_to(target, 0, 0), json!({ "type": "pointerDown", "button": 0 })];
                for step in 1..=STEPS {
                    let part = |whole: i32| whole * step / STEPS - whole * (step - 1) / STEPS;
                    actions.push(move_to(&json!("pointer"), part(dx), part(dy)));
                }
                actions.push(json!({ "type": "pointerUp", "button": 0 }));
                actions
            });
        });
    }

    /// Scrolls until an element stands in the middle of what is visible.
    #[track_caller]
    pub fn scroll_to(&self, css: &str) {
        self.with_element(css, |element| self.driver().eval(REVEAL, &[Driver::reference(element)]));
    }

    /// Touches the middle of an element with a finger, for a moment.
    #[track_caller]
    pub fn tap(&self, css: &str) {
        self.until_heard("click", 1, css, || {
            self.with_element(css, |element| {
                self.at_rest(element)?;
                self.driver().eval(REVEAL, &[Driver::reference(element)])?;
                let body = json!({ "actions": [{
                    "type": "pointer",
                    "id": "finger",
                    "parameters": { "pointerType": "touch" },
                    "actions": [
                        move_to(&Driver::reference(element), 0, 0),
                        json!({ "type": "pointerDown", "button": 0 }),
                        json!({ "type": "pause", "duration": 30 }),
                        json!({ "type": "pointerUp", "button": 0 }),
                    ],
                }] });
                self.driver().post("actions", &body)
            });
        });
    }

    #[track_caller]
    fn point(&self, css: &str, actions: impl Fn(&Value) -> Vec<Value>) {
        self.with_element(css, |element| {
            self.at_rest(element)?;
            let body = json!({ "actions": [{
                "type": "pointer",
                "id": "mouse",
                "parameters": { "pointerType": "mouse" },
                "actions": actions(&Driver::reference(element)),
            }] });
            self.driver().post("actions", &body)
        });
    }

    /// Acts, and waits until the page has heard so many events of this kind.
    #[track_caller]
    fn until_heard(&self, kind: &str, times: usize, what: &str, act: impl FnOnce()) {
        self.must(self.driver().eval(LISTEN, &[json!(kind)]), what);
        act();
        self.wait_until(&format!("!(window.heard?.times < {times}) /* {kind}: {} */", what.replace("*/", "")));
    }

    fn at_rest(&self, element: &str) -> Result<(), Refusal> {
        let hindrance = self.driver().eval(&later(AT_REST), &[Driver::reference(element)])?;
        match hindrance.as_str() {
            None | Some("") => Ok(()),
            Some(why) => Err(Refusal { kind: NOT_AT_REST.to_owned(), message: why.to_owned() }),
        }
    }
}

/// The word for an element that cannot be pressed yet; it is none of the standard's.
pub(crate) const NOT_AT_REST: &str = "not at rest";

/// The body of a function that may wait.
fn later(body: &str) -> String {
    format!("return (async function () {{ {body} }}).apply(this, arguments)")
}

/// What WebDriver calls a key; a character stands for itself.
fn key(name: &str) -> &str {
    match name {
        "Backspace" => "\u{E003}",
        "Tab" => "\u{E004}",
        "Enter" => "\u{E007}",
        "Shift" => "\u{E008}",
        "Control" => "\u{E009}",
        "Alt" => "\u{E00A}",
        "Escape" => "\u{E00C}",
        "Space" => " ",
        "PageUp" => "\u{E00E}",
        "PageDown" => "\u{E00F}",
        "End" => "\u{E010}",
        "Home" => "\u{E011}",
        "ArrowLeft" => "\u{E012}",
        "ArrowUp" => "\u{E013}",
        "ArrowRight" => "\u{E014}",
        "ArrowDown" => "\u{E015}",
        "Delete" => "\u{E017}",
        character => {
            assert!(character.chars().count() == 1, "`{character}` is no key that this harness knows");
            character
        }
    }
}

fn move_to(origin: &Value, x: i32, y: i32) -> Value {
    json!({ "type": "pointerMove", "duration": 10, "origin": origin, "x": x, "y": y })
}
