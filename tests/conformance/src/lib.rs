//! The models of lock services, held against the servers that they are models of.
//!
//! Whatever is done is done twice: by a real server on this machine, and by the pure handler of `fencepost::protocol` or by the whole
//! engine. Every answer and every stored state is compared. Reading order:
//!
//! - [`server`]: a real server for as long as a test lasts; [`report`]: the line that says what was compared.
//! - One Redis: [`op`] (what is done, and what can be seen of it), [`model`] (our side), [`redis`] (the real side), [`compare`] (both
//!   together, and the report of a difference). With a replica: [`pairs`], over a [`link`] that the test holds in its hand.
//! - Five of them, and real clients of Redlock: [`votes`] (circumstances, and what can be seen), [`engine`] (our side: a scenario and its run),
//!   [`ensemble`] and [`clients`] (the real side), [`ballots`] (both together).
//! - A line of sessions: [`line`] (what is done, and our side), [`etcd`] and [`zookeeper`], the latter by [`zk_wire`] (the real side), [`lines`]
//!   (both together). [`etcdctl`]: a real client of etcd's beside the engine.

// A tool may look at the clock.
#![allow(clippy::disallowed_methods)]

pub mod ballots;
pub mod clients;
pub mod compare;
pub mod engine;
pub mod ensemble;
pub mod etcd;
pub mod etcdctl;
pub mod line;
pub mod lines;
pub mod link;
pub mod model;
pub mod op;
pub mod pairs;
pub mod redis;
pub mod report;
pub mod server;
pub mod votes;
pub mod zk_wire;
pub mod zookeeper;
