//! States that were seen: a set of digests, of bounded size.
//!
//! Open addressing in one array, which doubles when it is three quarters full: eight bytes for each place, nothing else. A digest has 64 bits,
//! so that of ten million states two are taken for one with a probability of three in a million.
//!
//! While it doubles, the old array and the new one are both there. That counts: a set that may take so many bytes never takes more.

#[derive(Clone, Debug)]
pub struct Seen {
    /// Zero: free. The length is a power of two, or nothing.
    places: Vec<u64>,
    len: usize,
    /// At most so many bytes.
    most: u64,
    is_full: bool,
}

/// Places of the first array.
const FIRST: usize = 1 << 10;

impl Seen {
    /// A set that takes at most so many bytes.
    pub fn within(most: u64) -> Seen {
        Seen { places: Vec::new(), len: 0, most, is_full: false }
    }

    /// Something was not put in, because there was no room for it.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// True if it was there already. Where there is no room for more it is not put in, and [`Seen::is_full`] says so from then on.
    pub fn insert(&mut self, digest: u64) -> bool {
        if self.len * 4 >= self.places.len() * 3 {
            let both = self.places.len() + (self.places.len() * 2).max(FIRST);
            if both as u64 * 8 > self.most {
                self.is_full = true;
                return self.has(digest);
            }
            self.grow();
        }
        let digest = digest.max(1);
        let at = self.place(digest);
        let was_there = self.places[at] == digest;
        if !was_there {
            self.places[at] = digest;
            self.len += 1;
        }
        was_there
    }

    pub fn has(&self, digest: u64) -> bool {
        let digest = digest.max(1);
        !self.places.is_empty() && self.places[self.place(digest)] == digest
    }

    fn place(&self, digest: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = digest as usize & mask;
        while self.places[at] != 0 && self.places[at] != digest {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.places);
        self.places = vec![0; (old.len() * 2).max(FIRST)];
        for digest in old.into_iter().filter(|d| *d != 0) {
            let at = self.place(digest);
            self.places[at] = digest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::prng;

    #[test]
    fn what_was_put_in_is_found_and_nothing_else() {
        let mut seen = Seen::within(1 << 20);
        assert!(!seen.has(7));
        for i in 0..5_000 {
            assert!(!seen.insert(prng::mix(i, 1)));
        }
        assert!((0..5_000).all(|i| seen.has(prng::mix(i, 1)) && seen.insert(prng::mix(i, 1))));
        assert!((0..5_000).all(|i| !seen.has(prng::mix(i, 2))));
        assert!(!seen.is_full());
    }

    #[test]
    fn it_takes_no_more_than_it_may_even_while_it_grows() {
        // Doubling from 1,024 places to 2,048 takes the bytes of 3,072.
        for (most, holds) in [(8_191, 0), (3_072 * 8 - 1, 768), (3_072 * 8, 1_536)] {
            let mut seen = Seen::within(most);
            (0..5_000).for_each(|i| assert!(!seen.insert(prng::mix(i, 1))));
            assert!(seen.is_full());
            assert_eq!((0..5_000).filter(|i| seen.has(prng::mix(*i, 1))).count(), holds);
        }
    }
}
