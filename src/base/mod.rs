//! Leaf vocabulary: time, clocks, names, tokens, messages, facts. Depends on nothing.
//!
//! Read in this order: [`time`] (three kinds of time that must not be mixed), [`clock`] (what a node reads),
//! [`id`] (who is who), [`token`] (the one number that has an order), [`message`] (what is sent), [`fact`] (what nodes do
//! that an observer can see), [`point`] (seams of a program where a fault can strike), and six tools: [`prng`],
//! [`fingerprint`], [`flat`], [`text`], [`pieces`], [`markup`] and [`mixing`].

pub mod clock;
pub mod fact;
pub mod fingerprint;
pub mod flat;
pub mod id;
pub mod markup;
pub mod message;
pub mod mixing;
pub mod pieces;
pub mod point;
pub mod prng;
pub mod row;
pub mod text;
pub mod time;
pub mod token;

pub use clock::{Clock, ClockKind};
pub use fact::Fact;
pub use fingerprint::Fingerprint;
pub use flat::{FlatMap, FlatSet};
pub use id::{AcqId, CallId, LockId, MsgId, NodeId, OpKey, OwnerId, Thread};
pub use message::{Kind, Message, Payload};
pub use point::{Edge, PointKind, Verb};
pub use time::{LocalTime, Span, TrueTime};
pub use token::Token;
