//! Texts, packed by predicting them.
//!
//! Several models guess the next bit, each from what came after another stretch of what stands before it: the last one, two, three, four,
//! six letters, the word, the key on the left of a `=`. A mixer that learns which of them to trust makes one probability of their guesses,
//! an arithmetic coder needs so many bits. It is the method of M. Mahoney's `lpaq` (mattmahoney.net/dc/text.html), made for texts of a few
//! hundred kilobytes: whole numbers alone, so that every machine guesses the same; tables of 14 MB.
//!
//! It is here because of its size. Of the texts that the page fetches, 204 kB, it makes a fourth less than LZMA does and a twentieth less than
//! the best library of this kind that there is (`ppmd-rust`), and costs the program a few hundred bytes, the library some thousands. Unpacking is as much work
//! as packing, so an [`Unpacker`] works in slices, between which the page can draw.
//!
//! Absent: a format for others. What is packed is unpacked by the program it was packed with.

/// The longest text that is unpacked.
pub const MOST: usize = 1 << 20;

/// Models: orders 1, 2, 3, 4, 6, the word, the key of the line.
const MODELS: usize = 7;
/// What a mixer adds up: two guesses of each model, and two of the longest match.
const GUESSES: usize = 2 * MODELS + 2;
/// Places in the table of one model, as a power of two.
const ROOM: u32 = 19;
/// How many letters have to be equal before what came after them is a guess.
const MATCH: usize = 6;
/// A half, as the coder counts probabilities.
const HALF: i32 = 2_048;

/// A probability from the number that mixers add up: `1 / (1 + e^-x)`, x in 256ths, the result in 4096ths.
fn squash(x: i32) -> i32 {
    const AT: [i32; 33] = [
        1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785, 3901,
        3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
    ];
    let x = x.clamp(-2_047, 2_047);
    let (at, between) = (((x >> 7) + 16) as usize, x & 127);
    (AT[at] * (128 - between) + AT[at + 1] * between + 64) >> 7
}

/// The way that a probability goes towards what was, after so many experiences: less and less of it.
fn way(rates: &[i32], to: i32, p: i32, seen: u32) -> i32 {
    ((i64::from(to - p) * i64::from(rates[seen as usize])) >> 16) as i32
}

/// A probability that learns: 22 bits of it, and below them how often it has learned, up to `limit`.
fn learn(rates: &[i32], cell: &mut u32, bit: i32, limit: u32) {
    let (seen, p) = (*cell & 1_023, (*cell >> 10) as i32);
    let p = p + way(rates, bit * ((1 << 22) - 1), p, seen);
    *cell = (p as u32) << 10 | (seen + u32::from(seen < limit));
}

/// What is known of the text so far, and what it makes of it.
struct Model {
    /// The inverse of [`squash`].
    stretch: Vec<i16>,
    /// How fast is learned after so many experiences; a division less for each.
    rates: Vec<i32>,
    text: Vec<u8>,
    /// The bits of the letter under way, behind a 1.
    letter: usize,
    /// Per model and context: 16 bits of probability, the last seven bits seen there behind a 1, how many there were. 0 was never there.
    cells: Vec<u32>,
    /// Per model: its context, where the bits of this half letter stand, where this bit does.
    context: [u32; MODELS],
    half: [usize; MODELS],
    place: [usize; MODELS],
    /// What the last seven bits in a context say about the next, by experience; per model.
    history: Vec<u32>,
    /// Digests of the word under way, of the line, and of the line up to its `=`.
    word: u32,
    line: u32,
    key: u32,
    /// Where the same letters stood last, by their digest; where the longest match goes on, and its length.
    seen: Vec<u32>,
    next: usize,
    length: usize,
    /// How often a match of a length was right.
    right: Vec<u32>,
    guess: usize,
    guesses: [i32; GUESSES],
    /// Two mixers: one chosen by the length of the match and the letter under way, one by the letter before.
    weights: [Vec<i32>; 2],
    chosen: [usize; 2],
    mixed: [i32; 2],
    /// What came of such a probability, after one letter and after two: 33 steps each.
    after: [Vec<u16>; 2],
    step: [usize; 2],
}

fn digest(of: u32, more: u32) -> u32 {
    let h = (of.wrapping_add(more).wrapping_add(1)).wrapping_mul(0x2f0b_4c47);
    h ^ h >> 13
}

impl Model {
    fn new() -> Model {
        let mut stretch = vec![2_047; 4_096];
        let mut from = 0;
        for x in -2_047..=2_047 {
            let to = squash(x) as usize;
            while from <= to {
                stretch[from] = x as i16;
                from += 1;
            }
        }
        let mut steps = Vec::new();
        for _ in 0..1 << 16 {
            for at in 0..33 {
                steps.push((squash((at - 16) * 128) * 16) as u16);
            }
        }
        Model {
            stretch,
            rates: (0..1_024).map(|seen| (1 << 16) / (2 * seen + 3)).collect(),
            text: vec![0],
            letter: 1,
            cells: vec![0; MODELS << ROOM],
            context: [0; MODELS],
            half: [0; MODELS],
            place: [0; MODELS],
            history: vec![1 << 31; MODELS << 8],
            word: 0,
            line: 0,
            key: 0,
            seen: vec![0; 1 << 16],
            next: 0,
            length: 0,
            right: vec![1 << 31; 64],
            guess: 0,
            guesses: [0; GUESSES],
            weights: [vec![12_000; 5 * 256 * GUESSES], vec![12_000; 256 * GUESSES]],
            chosen: [0; 2],
            mixed: [HALF; 2],
            after: [steps.clone(), steps],
            step: [0; 2],
        }
    }

    /// The letter that came so many places before; 1 is the last.
    fn back(&self, places: usize) -> u32 {
        self.text.len().checked_sub(places).map_or(0, |at| u32::from(self.text[at]))
    }

    /// How probable it is that the next bit is 1, in 4096ths.
    fn guess(&mut self) -> i32 {
        // A letter is two halves: the bits of each stand in one line of the machine's cache.
        let bits = self.letter.ilog2();
        let inside = if bits < 4 { self.letter } else { self.letter & ((1 << (bits - 4)) - 1) | 1 << (bits - 4) };
        for i in 0..MODELS {
            if inside == 1 {
                let h = digest(self.context[i], self.letter as u32).wrapping_mul(0x85eb_ca6b);
                self.half[i] = i << ROOM | (h >> (32 - ROOM)) as usize & !15;
            }
            self.place[i] = self.half[i] + inside;
            let cell = self.cells[self.place[i]];
            let (p, by) = if cell == 0 {
                (0, 0)
            } else {
                let by = self.history[i << 8 | (cell >> 8 & 255) as usize];
                (self.stretch[(cell >> 20) as usize], self.stretch[(by >> 20) as usize])
            };
            self.guesses[2 * i] = i32::from(p);
            self.guesses[2 * i + 1] = i32::from(by);
        }
        self.guess_by_match(bits);
        self.mix()
    }

    fn guess_by_match(&mut self, bits: u32) {
        self.guess = 0;
        let two = &mut self.guesses[2 * MODELS..];
        two.fill(0);
        if self.length == 0 {
            return;
        }
        let letter = usize::from(self.text[self.next]) | 256;
        if letter >> (8 - bits) != self.letter {
            self.length = 0;
            return;
        }
        self.guess = self.length.min(31) << 1 | letter >> (7 - bits) & 1;
        let p = (self.right[self.guess] >> 20) as usize;
        two[0] = i32::from(self.stretch[p]);
        two[1] = (p as i32 - HALF) >> 1;
    }

    fn mix(&mut self) -> i32 {
        let long = match self.length {
            0 => 0,
            1..8 => 1,
            8..16 => 2,
            16..32 => 3,
            _ => 4,
        };
        let (one, two) = (self.back(1), self.back(2));
        self.chosen = [(long << 8 | self.letter) * GUESSES, one as usize * GUESSES];
        let mut sum = 0;
        for (k, weights) in self.weights.iter().enumerate() {
            let mut dot = 0_i64;
            for (guess, weight) in self.guesses.iter().zip(&weights[self.chosen[k]..]) {
                dot += i64::from(*guess) * i64::from(*weight);
            }
            let x = (dot >> 16).clamp(-2_047, 2_047) as i32;
            self.mixed[k] = squash(x);
            sum += x;
        }
        let x = sum >> 1;
        let at = (x + 2_048) * 32;
        let (low, between) = ((at >> 12) as usize, at & 4_095);
        let contexts = [one << 8 | self.letter as u32, digest(digest(two, one), self.letter as u32) >> 16];
        let mut p = 2 * squash(x) + 2;
        for (k, after) in self.after.iter().enumerate() {
            let from = contexts[k] as usize * 33 + low;
            p += (i32::from(after[from]) * (4_096 - between) + i32::from(after[from + 1]) * between) >> 16;
            self.step[k] = from + (between >> 11) as usize;
        }
        (p >> 2).clamp(1, 4_094)
    }

    /// Learns what the bit was.
    fn was(&mut self, bit: i32) {
        for i in 0..MODELS {
            let cell = &mut self.cells[self.place[i]];
            let (p, bits, seen) = match *cell {
                0 => (1 << 15, 1, 0),
                cell => ((cell >> 16) as i32, cell >> 8 & 255, cell & 255),
            };
            if bits > 1 {
                learn(&self.rates, &mut self.history[i << 8 | bits as usize], bit, 255);
            }
            let p = p + way(&self.rates, bit * 65_535, p, seen);
            let more = bits << 1 | bit as u32;
            let bits = if more > 255 { more & 127 | 128 } else { more };
            *cell = (p as u32) << 16 | bits << 8 | (seen + u32::from(seen < 30));
        }
        if self.guess > 0 {
            learn(&self.rates, &mut self.right[self.guess], bit, 1_000);
        }
        for (k, weights) in self.weights.iter_mut().enumerate() {
            let wrong = ((bit << 12) - self.mixed[k]) * 10;
            for (guess, weight) in self.guesses.iter().zip(&mut weights[self.chosen[k]..]) {
                *weight += (guess * wrong + 0x2000) >> 14;
            }
        }
        for (k, after) in self.after.iter_mut().enumerate() {
            let p = &mut after[self.step[k]];
            *p = (i32::from(*p) + ((bit * 65_535 - i32::from(*p)) >> 5)) as u16;
        }
        self.letter = self.letter << 1 | bit as usize;
        if self.letter > 255 {
            self.read(self.letter as u8);
        }
    }

    /// A letter is whole: the contexts of the next.
    fn read(&mut self, letter: u8) {
        self.letter = 1;
        self.text.push(letter);
        let c = u32::from(letter);
        self.word = if letter.is_ascii_alphanumeric() || letter == b'_' { digest(self.word, c | 32) } else { 0 };
        match letter {
            b'\n' => (self.line, self.key) = (0, 0),
            b'=' => self.key = self.line,
            b' ' => {}
            _ => self.line = digest(self.line, c),
        }
        let mut orders = [0; MATCH];
        let mut h = 0;
        for (k, order) in orders.iter_mut().enumerate() {
            h = digest(h, self.back(k + 1));
            *order = h;
        }
        self.context = [orders[0], orders[1], orders[2], orders[3], orders[5], self.word, digest(self.key, orders[0])];
        let here = self.text.len();
        let seen = &mut self.seen[(orders[MATCH - 1].wrapping_mul(0x85eb_ca6b) >> 16) as usize];
        if self.length > 0 {
            self.next += 1;
            self.length += 1;
        } else if *seen > 0 {
            self.next = *seen as usize;
            while self.length < self.next.min(32)
                && self.text[self.next - 1 - self.length] == self.text[here - 1 - self.length]
            {
                self.length += 1;
            }
            if self.length < MATCH {
                self.length = 0;
            }
        }
        *seen = here as u32;
    }

    /// Reads a text that both sides know.
    fn prime(&mut self, known: &str) {
        for letter in known.bytes() {
            for k in (0..8).rev() {
                self.guess();
                self.was(i32::from(letter >> k & 1));
            }
        }
    }
}

/// The range of the coder: the code lies between its ends.
struct Range {
    low: u32,
    high: u32,
}

impl Range {
    const WHOLE: Range = Range { low: 0, high: u32::MAX };

    fn middle(&self, p: i32) -> u32 {
        let width = u64::from(self.high - self.low);
        self.low + ((width * p as u64) >> 12) as u32
    }

    fn take(&mut self, bit: i32, middle: u32) {
        if bit == 1 {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
    }

    /// The first byte is settled: both ends have it.
    fn settled(&self) -> bool {
        self.low >> 24 == self.high >> 24
    }

    fn shift(&mut self) {
        self.low <<= 8;
        self.high = self.high << 8 | 255;
    }
}

/// A digest of a text, by which damage is noticed (FNV-1a).
fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |h, b| (h ^ u32::from(*b)).wrapping_mul(0x0100_0193))
}

/// Packs a text: its length and its digest, four bytes each, then the code. `known`: a text that the other side has.
pub fn pack(text: &str, known: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(&sum(text.as_bytes()).to_le_bytes());
    let mut model = Model::new();
    known.iter().for_each(|known| model.prime(known));
    let mut range = Range::WHOLE;
    for letter in text.bytes() {
        for k in (0..8).rev() {
            let bit = i32::from(letter >> k & 1);
            let middle = range.middle(model.guess());
            range.take(bit, middle);
            model.was(bit);
            while range.settled() {
                out.push((range.high >> 24) as u8);
                range.shift();
            }
        }
    }
    // Enough of a number between the two ends.
    out.extend_from_slice(&range.high.to_be_bytes()[..2]);
    out
}

/// Unpacks a text, slice by slice.
pub struct Unpacker {
    packed: Vec<u8>,
    at: usize,
    model: Model,
    range: Range,
    code: u32,
    /// Where the text begins in the model's.
    from: usize,
    length: usize,
    sum: u32,
}

impl Unpacker {
    /// `None`: nothing that was packed.
    pub fn new(packed: Vec<u8>, known: &[&str]) -> Option<Unpacker> {
        let number = |at: usize| Some(u32::from_le_bytes(packed.get(at..at + 4)?.try_into().ok()?));
        let (length, sum) = (number(0)? as usize, number(4)?);
        if length > MOST {
            return None;
        }
        let mut model = Model::new();
        known.iter().for_each(|known| model.prime(known));
        let from = model.text.len();
        let mut unpacker = Unpacker { packed, at: 8, model, range: Range::WHOLE, code: 0, from, length, sum };
        (0..4).for_each(|_| unpacker.next());
        Some(unpacker)
    }

    /// Behind the end stands nothing but zeros: a code that was cut off gives another text, which its digest betrays.
    fn next(&mut self) {
        self.code = self.code << 8 | u32::from(self.packed.get(self.at).copied().unwrap_or(0));
        self.at += 1;
    }

    /// Unpacks so many letters more; true when it is done.
    pub fn go_on(&mut self, letters: usize) -> bool {
        let end = self.from + self.length;
        let stop = end.min(self.model.text.len() + letters);
        while self.model.text.len() < stop {
            let middle = self.range.middle(self.model.guess());
            let bit = i32::from(self.code <= middle);
            self.range.take(bit, middle);
            self.model.was(bit);
            while self.range.settled() {
                self.range.shift();
                self.next();
            }
        }
        stop == end
    }

    /// The text, if it is what was packed.
    pub fn text(self) -> Option<String> {
        let mut text = self.model.text;
        let text = text.split_off(self.from);
        if text.len() == self.length && sum(&text) == self.sum { String::from_utf8(text).ok() } else { None }
    }
}

/// Unpacks a text at once.
pub fn unpack(packed: Vec<u8>, known: &[&str]) -> Option<String> {
    let mut unpacker = Unpacker::new(packed, known)?;
    unpacker.go_on(MOST);
    unpacker.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["[lock]\nttl = \"10s\"\n"];

    /// Letters without any order, from a generator that is nothing but short.
    fn noise(n: usize) -> String {
        let mut x = 1_u32;
        let next = |_| {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from((x >> 25) as u8)
        };
        (0..n).map(next).collect()
    }

    #[test]
    fn what_was_packed_comes_back() {
        let long = include_str!("mixing.rs").repeat(2);
        for text in ["", "a", "ä — 字", KNOWN[0], &noise(3_000), &"x".repeat(70_000), &long] {
            let packed = pack(text, KNOWN);
            assert_eq!(unpack(packed.clone(), KNOWN).as_deref(), Some(text));
            // Slice by slice it is the same.
            let mut unpacker = Unpacker::new(packed, KNOWN).expect("it was packed");
            while !unpacker.go_on(777) {}
            assert_eq!(unpacker.text().as_deref(), Some(text));
        }
        assert!(pack(&long, &[]).len() * 5 < long.len(), "it packs");
    }

    #[test]
    fn what_both_sides_know_costs_nothing_and_has_to_be_the_same() {
        let text = include_str!("mixing.rs");
        let packed = pack(text, &[text]);
        assert!(packed.len() < text.len() / 100, "{}", packed.len());
        assert_eq!(unpack(packed.clone(), &[text]).as_deref(), Some(text));
        assert_eq!(unpack(packed, &[]), None);
    }

    #[test]
    fn damage_is_noticed() {
        let text = include_str!("mixing.rs").get(..5_000).expect("it is longer");
        let packed = pack(text, KNOWN);
        for end in [0, 3, 7, 8, 9, 100, packed.len() - 3] {
            assert_eq!(unpack(packed[..end].to_vec(), KNOWN), None, "{end} bytes of it");
        }
        for at in (0..packed.len() - 2).step_by(97) {
            let mut other = packed.clone();
            other[at] ^= 0x10;
            assert_eq!(unpack(other, KNOWN), None, "byte {at} is another");
        }
    }

    #[test]
    fn a_length_that_nobody_packs_is_refused() {
        let mut packed = pack("short", &[]);
        packed[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Unpacker::new(packed.clone(), &[]).is_none());
        // One that is allowed and not there ends, and is no text.
        packed[..4].copy_from_slice(&20_000_u32.to_le_bytes());
        assert_eq!(unpack(packed, &[]), None);
    }
}
