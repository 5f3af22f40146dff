//! In which order the functions of the built program stand.
//!
//! A browser does not care; gzip does. It looks back 32 KB, so what resembles each other should stand close together. The order is found
//! greedily: next comes the function that shares most with those that stand just before. It is written into the program as names, which
//! wasm-opt sorts by and then takes out.

use crate::Result;

/// Sequences of so many bytes are what two functions share.
const PIECE: usize = 6;
/// What stands in more functions than this stands close by in any case.
const COMMON: usize = 60;
/// How far gzip is taken to look back, bytes: less than it does, since other things than functions move along.
const WINDOW: usize = 28_000;
/// The length of a function counts from here, so that very short ones do not always win.
const SHORT: f64 = 40.0;

/// A WebAssembly module with its functions named by the place that each should have: `00000`, `00001` and so on.
pub fn named_by_place(program: &[u8]) -> Result<Vec<u8>> {
    let mut reader = Reader { rest: program };
    reader.bytes(8)?;
    let (mut imports, mut functions) = (0, Vec::new());
    while !reader.rest.is_empty() {
        let (kind, length) = (reader.bytes(1)?[0], reader.number()?);
        let mut section = Reader { rest: reader.bytes(length)? };
        if kind == 2 {
            imports = section.number()?;
            for _ in 0..imports {
                section.sized()?;
                section.sized()?;
                if section.bytes(1)?[0] != 0 {
                    return Err("the program takes more than functions from its glue".to_owned());
                }
                section.number()?;
            }
        } else if kind == 10 {
            for _ in 0..section.number()? {
                functions.push(section.sized()?);
            }
        }
    }
    let mut names = Vec::new();
    push_number(&mut names, functions.len());
    let mut places = vec![0; functions.len()];
    for (place, function) in order(&functions).into_iter().enumerate() {
        places[function] = place;
    }
    for (function, place) in places.into_iter().enumerate() {
        push_number(&mut names, imports + function);
        push_sized(&mut names, format!("{place:05}").as_bytes());
    }
    // A custom section, which is called so, and in it the first kind of names: those of functions.
    let mut section = Vec::new();
    push_sized(&mut section, b"name");
    section.push(1);
    push_sized(&mut section, &names);
    let mut out = program.to_vec();
    out.push(0);
    push_sized(&mut out, &section);
    Ok(out)
}

/// The functions, by their numbers, in the order in which they should stand.
fn order(functions: &[&[u8]]) -> Vec<usize> {
    let mut pieces: Vec<(&[u8], usize)> = Vec::new();
    for (number, function) in functions.iter().enumerate() {
        pieces.extend(function.windows(PIECE).map(|piece| (piece, number)));
    }
    pieces.sort_unstable();
    pieces.dedup();
    let shared: Vec<&[(&[u8], usize)]> =
        pieces.chunk_by(|a, b| a.0 == b.0).filter(|who| (2..=COMMON).contains(&who.len())).collect();
    let mut pieces_of = vec![Vec::new(); functions.len()];
    for (piece, who) in shared.iter().enumerate() {
        for (_, function) in *who {
            pieces_of[*function].push(piece);
        }
    }
    // In how many functions of the window a piece stands; what each function shares with the window.
    let (mut present, mut common) = (vec![0_u32; shared.len()], vec![0.0; functions.len()]);
    let mut left: Vec<usize> = (0..functions.len()).collect();
    let (mut order, mut window_start, mut window) = (Vec::with_capacity(functions.len()), 0, 0);
    while !left.is_empty() {
        let worth = |function: usize| common[function] / (functions[function].len() as f64 + SHORT);
        let mut best = 0;
        for at in 1..left.len() {
            if worth(left[at]) > worth(left[best]) {
                best = at;
            }
        }
        let next = left.remove(best);
        order.push(next);
        window += functions[next].len();
        for piece in &pieces_of[next] {
            present[*piece] += 1;
            if present[*piece] == 1 {
                let who = shared[*piece];
                who.iter().for_each(|(_, function)| common[*function] += 1.0 / who.len() as f64);
            }
        }
        while window > WINDOW && window_start + 1 < order.len() {
            let gone = order[window_start];
            (window_start, window) = (window_start + 1, window - functions[gone].len());
            for piece in &pieces_of[gone] {
                present[*piece] -= 1;
                if present[*piece] == 0 {
                    let who = shared[*piece];
                    who.iter().for_each(|(_, function)| common[*function] -= 1.0 / who.len() as f64);
                }
            }
        }
    }
    order
}

/// What is left to be read of a module.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or("the program ends too soon")?;
        self.rest = rest;
        Ok(taken)
    }

    /// Seven bits to a byte, the lowest first.
    fn number(&mut self) -> Result<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes(1)?[0];
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 || shift > 28 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    /// What stands behind its own length.
    fn sized(&mut self) -> Result<&'a [u8]> {
        let length = self.number()?;
        self.bytes(length)
    }
}

fn push_number(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn push_sized(out: &mut Vec<u8>, bytes: &[u8]) {
    push_number(out, bytes.len());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_resembles_each_other_stands_together() {
        let like = |first: u8| -> Vec<u8> { (0..50).map(|i| first + i).collect() };
        let functions = [like(0), like(100), like(3), like(103)];
        let functions: Vec<&[u8]> = functions.iter().map(Vec::as_slice).collect();
        assert_eq!(order(&functions), [0, 2, 1, 3]);
    }

    #[test]
    fn functions_are_named_behind_those_that_are_taken() {
        let module = b"\0asm\x01\0\0\0\x02\x07\x01\x01a\x01b\0\0\x0a\x04\x01\x02\0\x0b";
        let named = named_by_place(module).expect("a module");
        let section = b"\0\x0f\x04name\x01\x08\x01\x01\x0500000";
        assert_eq!(named[module.len()..], section[..]);
        assert!(named_by_place(&module[..20]).is_err());
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for number in [0, 127, 128, 300, 70_000] {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            assert_eq!(Reader { rest: &bytes }.number(), Ok(number));
        }
    }
}
