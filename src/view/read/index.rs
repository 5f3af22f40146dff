//! What an observer keeps about ids: a map from one or two numbers to a number, compiled once for all of them.

use crate::base::flat::FlatMap;

/// A map from two numbers (the second is 0 where one is enough) to a number, which is mostly a place in a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Index(FlatMap<(u64, u64), u64>);

impl Index {
    #[inline(never)]
    pub fn value(&self, a: u64, b: u64) -> Option<u64> {
        self.0.get(&(a, b)).copied()
    }

    pub fn get(&self, a: u64, b: u64) -> Option<usize> {
        self.value(a, b).map(|v| v as usize)
    }

    /// True if there was none.
    #[inline(never)]
    pub fn insert(&mut self, a: u64, b: u64, value: u64) -> bool {
        self.0.insert((a, b), value).is_none()
    }

    /// What is there, put there first if there is none.
    #[inline(never)]
    pub fn or_insert(&mut self, a: u64, b: u64, value: u64) -> u64 {
        *self.0.or_insert_with((a, b), || value)
    }

    #[inline(never)]
    pub fn remove(&mut self, a: u64, b: u64) -> Option<usize> {
        self.0.remove(&(a, b)).map(|v| v as usize)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}
