//! The page.

use yew::prelude::*;

#[component]
fn App() -> Html {
    html! {
        <main>
            <h1>{ "Fencepost" }</h1>
            <p>{ "What distributed locks do when things go wrong." }</p>
        </main>
    }
}

fn main() {
    yew::Renderer::<App>::new().render();
}
