//! How it happens: the world, its queue, its network, its faults, and the one transition function.
//!
//! [`World::step`] is the only code that moves time. Playing, sweeping, exploring, replaying and the command line all call it.

mod asks;
pub mod chooser;
pub mod config;
mod copies;
mod digest;
mod door;
mod fault;
mod group;
mod host;
mod network;
mod node;
mod queue;
mod setup;
mod sides;
mod step;
mod store;
mod tally;
mod wire;
mod world;

pub use chooser::{ChoicePoint, Chooser, Question, Replay, Schedule, Scripted, Seeded};
pub use config::SimConfig;
pub use step::Progress;
pub use world::World;
