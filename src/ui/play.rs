//! Playing: where the cursor goes with every frame.

use super::deeds::Deeds;
use crate::app::{Action, Scene};
use crate::base::TrueTime;
use crate::web::dom;
use std::rc::Rc;

/// Where the cursor goes while it plays.
pub struct Player {
    scene: Rc<Scene>,
    factor: f64,
    here: TrueTime,
    /// Down the picture, px.
    y: f64,
    /// The person has asked for less motion: the cursor rests on each instant, for so many ms by now.
    rested: Option<f64>,
}

impl Player {
    /// px of the picture that the cursor passes per second at speed 1.
    const PACE: f64 = 56.0;
    /// How long the cursor rests on each instant for those who asked for less motion, ms.
    const REST: f64 = 900.0;

    /// From the end, it starts over.
    pub fn new(scene: Rc<Scene>, from: Option<TrueTime>, factor: f64) -> Player {
        let here = from.unwrap_or(TrueTime::ZERO);
        let y = scene.picture.axis.y(here);
        Player { scene, factor, here, y, rested: dom::calm().then_some(0.0) }
    }

    /// A frame has passed, of so many ms.
    pub fn tick(&mut self, ms: f64) -> Option<Deeds> {
        let axis = &self.scene.picture.axis;
        let end = self.scene.end();
        match &mut self.rested {
            Some(rested) => {
                *rested += ms * self.factor;
                if *rested < Player::REST {
                    return None;
                }
                *rested = 0.0;
                self.here = self.scene.step(self.here, true).unwrap_or(end);
                self.y = axis.y(self.here);
            }
            None => {
                self.y += Player::PACE * self.factor * ms / 1_000.0;
                self.here = TrueTime::from_us(axis.time(self.y).as_us() / 1_000 * 1_000);
            }
        }
        let over = self.y >= axis.y(end) || self.here >= end;
        let seek = Action::Seek((!over).then_some(self.here));
        let actions = if over { vec![Action::Play(false), seek] } else { vec![seek] };
        Some(Deeds { actions, then: Vec::new() })
    }
}
