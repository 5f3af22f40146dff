//! What components share.

use crate::app::{Action, AppState, Cursor, Doc, Scene};
use std::rc::Rc;
use yew::prelude::*;

/// Sends actions to the reducer. Equal to itself for ever, so a component that only sends never draws again because of it.
#[derive(Clone, PartialEq)]
pub struct Send(pub UseReducerDispatcher<AppState>);

impl Send {
    pub fn act(&self, action: Action) {
        self.0.dispatch(action);
    }

    /// A callback that sends an action, whatever the event. One shape for all of them: every closure of its own is code that a reader
    /// on a phone pays for.
    pub fn on<E: 'static>(&self, action: Action) -> Callback<E> {
        let send = self.clone();
        Callback::from(move |_: E| send.act(action.clone()))
    }
}

/// The document and what was computed from it. Compared by pointers: whoever makes a new one means it.
#[derive(Clone)]
pub struct Document {
    pub doc: Rc<Doc>,
    /// Runs and picture of the last scenario that could be run.
    pub scene: Option<Rc<Scene>>,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        let same_scene = match (&self.scene, &other.scene) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        same_scene && Rc::ptr_eq(&self.doc, &other.doc)
    }
}

/// A scene as a prop, compared by pointer.
#[derive(Clone)]
pub struct SceneRef(pub Rc<Scene>);

impl PartialEq for SceneRef {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[hook]
pub fn use_send() -> Send {
    use_context().expect("every component stands under the root, which provides it")
}

#[hook]
pub fn use_document() -> Document {
    use_context().expect("every component stands under the root, which provides it")
}

#[hook]
pub fn use_cursor() -> Cursor {
    use_context().expect("every component stands under the root, which provides it")
}
