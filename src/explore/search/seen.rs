//! States that were seen: a set of digests, of bounded size.
//!
//! Open addressing in one array, which doubles when it is three quarters full: eight bytes for each place, nothing else. While it doubles
//! there are two arrays, and both count. A digest has 64 bits, so that of ten million states two are taken for one with a probability of
//! three in a million.

#[derive(Clone, Debug)]
pub struct Seen {
    /// Zero: free. The length is a power of two, or nothing.
    places: Vec<u64>,
    len: usize,
    /// It never takes more bytes than this.
    most: u64,
    is_full: bool,
}

impl Seen {
    pub fn within(most: u64) -> Seen {
        Seen { places: Vec::new(), len: 0, most, is_full: false }
    }

    /// Something did not fit in any more.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// True if it was there already. What does not fit is not remembered.
    pub fn insert(&mut self, digest: u64) -> bool {
        if self.len * 4 >= self.places.len() * 3 {
            if self.bytes() + Seen::after(self.places.len()) as u64 * 8 > self.most {
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

    /// What it takes, in bytes.
    pub fn bytes(&self) -> u64 {
        self.places.len() as u64 * 8
    }

    fn place(&self, digest: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = digest as usize & mask;
        while self.places[at] != 0 && self.places[at] != digest {
            at = (at + 1) & mask;
        }
        at
    }

    /// How many places there are after so many.
    fn after(places: usize) -> usize {
        (places * 2).max(1 << 10)
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.places);
        self.places = vec![0; Seen::after(old.len())];
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
        let mut seen = Seen::within(u64::MAX);
        assert!(!seen.has(7));
        for i in 0..5_000 {
            assert!(!seen.insert(prng::mix(i, 1)));
        }
        assert!((0..5_000).all(|i| seen.has(prng::mix(i, 1)) && seen.insert(prng::mix(i, 1))));
        assert!((0..5_000).all(|i| !seen.has(prng::mix(i, 2))));
        assert_eq!(seen.bytes(), 8_192 * 8);
    }

    #[test]
    fn it_never_takes_more_than_it_may() {
        let most = 3 << 13;
        let mut seen = Seen::within(most);
        for i in 0..5_000 {
            seen.insert(prng::mix(i, 1));
        }
        // One array of 16 kB: another of 32 beside it would be too much.
        assert!(seen.is_full() && seen.bytes() == 1 << 14);
        assert!((0..1_536).all(|i| seen.has(prng::mix(i, 1))) && !seen.has(prng::mix(1_536, 1)));
        assert!(!seen.insert(prng::mix(1_536, 1)) && seen.insert(prng::mix(7, 1)));
    }
}
