//! Small ordered collections and a small stable sort.
//!
//! The page pays for code by the kilobyte: `std`'s B-trees and sorts are fast for millions of items and come to several kilobytes *for each
//! type* they are used with. Here are the same contracts over a sorted array: iteration in key order, look-up by bisection, insertion at
//! the end in constant time, elsewhere by moving what is behind. Keys that come in rising order, as ids and instants do, cost nothing extra.
//! The sort works on positions through one function that is compiled once.

use std::borrow::Borrow;
use std::cmp::Ordering;

/// A map in key order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlatMap<K, V> {
    items: Vec<(K, V)>,
}

impl<K, V> Default for FlatMap<K, V> {
    fn default() -> Self {
        FlatMap { items: Vec::new() }
    }
}

impl<K: Ord, V> FlatMap<K, V> {
    pub const fn new() -> Self {
        FlatMap { items: Vec::new() }
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Ids and instants mostly come in order: look at the end first.
        match self.items.last() {
            Some((last, _)) if last.borrow() < key => Err(self.items.len()),
            _ => self.items.binary_search_by(|(k, _)| k.borrow().cmp(key)),
        }
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|i| &self.items[i].1)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|i| &mut self.items[i].1)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Returns what stood there before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(i) => Some(std::mem::replace(&mut self.items[i].1, value)),
            Err(i) => {
                self.items.insert(i, (key, value));
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|i| self.items.remove(i).1)
    }

    /// The value at `key`, put there first if there is none.
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let i = match self.find(&key) {
            Ok(i) => i,
            Err(i) => {
                self.items.insert(i, (key, make()));
                i
            }
        };
        &mut self.items[i].1
    }

    /// As [`FlatMap::or_insert_with`], in the words of `std`.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator {
        self.items.iter().map(|(k, v)| (k, v))
    }

    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&K, &mut V)> {
        self.items.iter_mut().map(|(k, v)| (&*k, v))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.items.iter().map(|(k, _)| k)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.items.iter().map(|(_, v)| v)
    }

    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.items.iter_mut().map(|(_, v)| v)
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.items.retain_mut(|(k, v)| keep(k, v));
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn clear(&mut self) {
        self.items.clear();
    }
}

/// A place in a map, filled or not.
pub struct Entry<'m, K, V> {
    map: &'m mut FlatMap<K, V>,
    key: K,
}

impl<'m, K: Ord, V> Entry<'m, K, V> {
    pub fn or_insert(self, value: V) -> &'m mut V {
        self.map.or_insert_with(self.key, || value)
    }

    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'m mut V {
        self.map.or_insert_with(self.key, make)
    }

    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.map.or_insert_with(self.key, V::default)
    }

    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Some(v) = self.map.get_mut(&self.key) {
            change(v);
        }
        self
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for FlatMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> Self {
        let mut map = FlatMap::new();
        map.extend(all);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for FlatMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, all: I) {
        for (k, v) in all {
            self.insert(k, v);
        }
    }
}

impl<K, V> IntoIterator for FlatMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'m, K, V> IntoIterator for &'m FlatMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = std::iter::Map<std::slice::Iter<'m, (K, V)>, fn(&'m (K, V)) -> (&'m K, &'m V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter().map(|(k, v)| (k, v))
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> std::ops::Index<&Q> for FlatMap<K, V> {
    type Output = V;

    /// # Panics
    /// If there is no such key.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the caller knows that the key is there")
    }
}

/// A set in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlatSet<K> {
    map: FlatMap<K, ()>,
}

impl<K> Default for FlatSet<K> {
    fn default() -> Self {
        FlatSet { map: FlatMap::default() }
    }
}

impl<K: Ord> FlatSet<K> {
    pub const fn new() -> Self {
        FlatSet { map: FlatMap::new() }
    }

    /// False if it was in already.
    pub fn insert(&mut self, key: K) -> bool {
        self.map.insert(key, ()).is_none()
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.map.remove(key).is_some()
    }

    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.map.contains_key(key)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.map.keys()
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

impl<K: Ord> FromIterator<K> for FlatSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(all: I) -> Self {
        FlatSet { map: all.into_iter().map(|k| (k, ())).collect() }
    }
}

impl<K: Ord> Extend<K> for FlatSet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, all: I) {
        self.map.extend(all.into_iter().map(|k| (k, ())));
    }
}

impl<K> IntoIterator for FlatSet<K> {
    type Item = K;
    type IntoIter = std::iter::Map<std::vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.map.into_iter().map(|(k, ())| k)
    }
}

// ------------------------------------------------------------------ sorting

/// Sorts by a comparison; equal items keep their order.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    rearrange(items, &order);
}

/// Sorts by a key; equal items keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts in the items' own order.
pub fn sort<T: Ord>(items: &mut Vec<T>) {
    sort_by(items, T::cmp);
}

/// The positions `0..n` in the order of `compare`, equal ones as they stand: a merge sort, bottom up, compiled once for all uses.
#[inline(never)]
pub fn order(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut from: Vec<usize> = (0..n).collect();
    let mut to = from.clone();
    let mut width = 1;
    while width < n {
        let mut start = 0;
        while start < n {
            let middle = (start + width).min(n);
            let end = (start + 2 * width).min(n);
            let (mut left, mut right) = (start, middle);
            for place in &mut to[start..end] {
                let take_left =
                    left < middle && (right >= end || compare(from[left], from[right]) != Ordering::Greater);
                let source = if take_left { &mut left } else { &mut right };
                *place = from[*source];
                *source += 1;
            }
            start = end;
        }
        std::mem::swap(&mut from, &mut to);
        width *= 2;
    }
    from
}

fn rearrange<T>(items: &mut Vec<T>, order: &[usize]) {
    let mut taken: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.iter().filter_map(|i| taken[*i].take()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::prng;

    #[test]
    fn a_map_keeps_its_keys_in_order_whatever_comes_first() {
        let mut map = FlatMap::new();
        for i in 0..500u64 {
            let key = prng::answer(1, &[i]) % 200;
            *map.entry(key).or_insert(0) += 1;
        }
        assert!(map.keys().zip(map.keys().skip(1)).all(|(a, b)| a < b));
        assert_eq!(map.values().sum::<i32>(), 500);
        let some = *map.keys().next().expect("it is not empty");
        assert!(map.remove(&some).is_some() && map.get(&some).is_none());
    }

    #[test]
    fn equal_items_keep_their_order() {
        for n in [0, 1, 2, 3, 7, 64, 1_000] {
            let mut mine: Vec<(u64, u64)> = (0..n).map(|i| (prng::answer(2, &[i]) % 10, i)).collect();
            let mut std = mine.clone();
            sort_by_key(&mut mine, |p| p.0);
            std.sort_by_key(|p| p.0);
            assert_eq!(mine, std);
        }
    }
}
