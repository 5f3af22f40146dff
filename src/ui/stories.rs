//! The stories: searchable, grouped, one row each. ↑ ↓ move, Enter opens, Esc keeps what there is; the keyboard goes back to where it
//! came from.

use super::context::use_send;
use super::icon;
use crate::app::{Action, text};
use crate::scenario::preset::{self, Preset};
use crate::web::dom;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct StoriesProps {
    /// The story that is open.
    pub origin: Option<&'static str>,
    pub title: String,
}

/// All stories, each with everything in lower case that a search looks through.
type Shelf = Vec<(Preset, String)>;

fn shelf() -> Shelf {
    let hay = |p: &Preset| [p.id, &p.title, &p.claim, p.group, p.text].join("\n").to_ascii_lowercase();
    preset::all().into_iter().map(|p| (hay(&p), p)).map(|(h, p)| (p, h)).collect()
}

/// Names of the groups, in the order of the stories.
fn groups(shelf: &Shelf) -> Vec<&'static str> {
    let mut list: Vec<&'static str> = shelf.iter().map(|(p, _)| p.group).collect();
    list.dedup();
    list
}

/// The stories that have every word of `query` somewhere: in name, claim, id or text, where faults and products stand.
fn found<'a>(shelf: &'a Shelf, query: &str, group: Option<&str>) -> Vec<&'a Preset> {
    let words: Vec<String> = query.split_whitespace().map(str::to_ascii_lowercase).collect();
    let fits = |(p, hay): &&(Preset, String)| {
        group.is_none_or(|g| g == p.group) && words.iter().all(|w| hay.contains(w.as_str()))
    };
    shelf.iter().filter(fits).map(|(p, _)| p).collect()
}

#[component]
pub fn Stories(props: &StoriesProps) -> Html {
    let send = use_send();
    let query = use_state(String::new);
    let group = use_state(|| None::<&'static str>);
    let shelf = use_memo((), |()| shelf());
    let list = found(&shelf, &query, *group);
    let start = list.iter().position(|p| Some(p.id) == props.origin).unwrap_or(0);
    let at = use_state(|| start);
    let current = (*at).min(list.len().saturating_sub(1));

    use_effect_with((), |_| {
        dom::focus("#picker input");
        || dom::give_back("#picker", "#stories-button")
    });
    use_effect_with((current, query.to_string(), *group), |_| dom::reveal("#picker [aria-selected=true]"));

    let close = send.on::<MouseEvent>(Action::Panel(None));
    let open = {
        let send = send.clone();
        move |id: &'static str| {
            send.act(Action::Panel(None));
            send.act(Action::Open(id));
        }
    };
    let typed = {
        let (query, at) = (query.clone(), at.clone());
        Callback::from(move |e: InputEvent| {
            if let Some(input) = e.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) {
                query.set(input.value());
                at.set(0);
            }
        })
    };
    let key = {
        let (at, open) = (at.clone(), open.clone());
        let ids: Vec<&'static str> = list.iter().map(|p| p.id).collect();
        Callback::from(move |e: KeyboardEvent| {
            dom::keep_tab_inside(&e, "#picker");
            match e.key().as_str() {
                "ArrowDown" => at.set((current + 1).min(ids.len().saturating_sub(1))),
                "ArrowUp" => at.set(current.saturating_sub(1)),
                "PageDown" => at.set((current + 10).min(ids.len().saturating_sub(1))),
                "PageUp" => at.set(current.saturating_sub(10)),
                // On a button, Enter presses it.
                "Enter" if e.target().is_some_and(|t| t.dyn_ref::<HtmlInputElement>().is_some()) => {
                    if let Some(id) = ids.get(current) {
                        open(id);
                    }
                }
                _ => return,
            }
            e.prevent_default();
        })
    };
    let choose = |g: Option<&'static str>| {
        let (group, at) = (group.clone(), at.clone());
        Callback::from(move |_: MouseEvent| {
            group.set(g);
            at.set(0);
        })
    };
    let rows = {
        let mut rows: Vec<Html> = Vec::new();
        let mut last = "";
        for (i, p) in list.iter().enumerate() {
            if p.group != last {
                last = p.group;
                let count = list.iter().filter(|q| q.group == last).count();
                rows.push(html! { <li role="presentation" class="gh" key={format!("g-{last}")}>{ text::capital(last) }<span>{ count }</span></li> });
            }
            let (open, id) = (open.clone(), p.id);
            rows.push(html! {
                <li role="option" key={p.id} id={format!("story-{}", p.id)} aria-selected={(i == current).to_string()}
                    onclick={Callback::from(move |_: MouseEvent| open(id))}>
                    <span class="n">{ p.title.clone() }</span><span class="d">{ p.claim.clone() }</span>
                </li>
            });
        }
        rows
    };
    let described = list.get(current).map(|p| format!("story-{}", p.id));
    html! {
        <>
        <div class="scrim" onclick={close.clone()}></div>
        <div class="pan" id="picker" role="dialog" aria-modal="true" aria-label={text::STORIES} onkeydown={key}>
            <div class="srch">
                { icon::icon(icon::SEARCH) }
                <input type="search" role="combobox" aria-expanded="true" aria-controls="story-list" aria-activedescendant={described}
                    aria-label={text::SEARCH} placeholder={text::SEARCH_HINT} value={(*query).clone()} oninput={typed} autocomplete="off" />
                <button class="btn cls" onclick={close}>{ text::CLOSE }</button>
            </div>
            <div class="gnav" role="group" aria-label={text::GROUPS}>
                <button aria-pressed={group.is_none().to_string()} onclick={choose(None)}>{ text::ALL }<span>{ shelf.len() }</span></button>
                { for groups(&shelf).into_iter().map(|g| html! {
                    <button key={g} aria-pressed={(*group == Some(g)).to_string()} onclick={choose(Some(g))}>
                        { text::capital(g) }<span>{ shelf.iter().filter(|(p, _)| p.group == g).count() }</span>
                    </button>
                }) }
            </div>
            <div class="gl" tabindex="0">
                if list.is_empty() { <p class="none">{ text::no_story(&query) }</p> }
                <ul role="listbox" id="story-list" aria-label={text::STORIES}>{ for rows }</ul>
            </div>
            <div class="pf">
                <span><kbd>{ "↑ ↓" }</kbd>{ text::PICK_MOVE }</span><span><kbd>{ "Enter" }</kbd>{ text::PICK_OPEN }</span>
                <span><kbd>{ "Esc" }</kbd>{ text::pick_keep(&props.title) }</span><span class="r">{ text::PICK_UNDO }</span>
            </div>
        </div>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_be_found_somewhere() {
        let shelf = shelf();
        let names = |q: &str| found(&shelf, q, None).iter().map(|p| p.id).collect::<Vec<_>>();
        assert!(names("GC pause").contains(&"gc-pause"));
        assert!(names("").len() == shelf.len());
        assert!(names("no such words anywhere").is_empty());
    }
}
