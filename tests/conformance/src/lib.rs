//! The models of lock services, held against the servers that they are models of.
//!
//! A random sequence of operations is carried out twice: by a real server on this machine, and by the pure handler of
//! `fencepost::protocol`. Every answer and every stored state is compared. Reading order: [`op`] (what is done, and what can be seen
//! of it), [`model`] (our side), [`redis`] (the real side), [`compare`] (both together, and the report of a difference), [`server`] (a
//! real server for as long as a test lasts). [`etcd`] and [`zookeeper`] can be started as well; no model is held against them yet.
//!
//! Absent: the network. A request is handled at once on both sides; what a network does to requests is the simulator's own business.

// A tool may look at the clock.
#![allow(clippy::disallowed_methods)]

pub mod compare;
pub mod etcd;
pub mod model;
pub mod op;
pub mod redis;
pub mod server;
pub mod zookeeper;
