//! How it happens: the world, its queue, its network, its faults, and the one transition function.

pub mod config;
