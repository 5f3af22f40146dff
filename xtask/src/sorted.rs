//! A program with the bytes of its code sorted by what they mean: instructions with instructions, and what each kind of instruction
//! says behind itself (which local, which function, which number) with others of its kind.
//!
//! In the code of a WebAssembly program these alternate, and a packer that guesses the next byte from the ones before it guesses badly.
//! Sorted, the program packs a tenth smaller. Nothing is lost: `static/unpack.js` puts everything back in its place, and the
//! build compares.
//!
//! What is written: 512 lengths of streams, the program's length, and the place of the code in it, as 32-bit numbers, low byte first;
//! the streams; the program without the body of its code section.

use crate::Result;

/// Two streams for each instruction; those of three instructions that say nothing are for other things.
const STREAMS: usize = 512;
/// The locals of each function.
const LOCALS: usize = 0;
/// How many functions there are.
const COUNT: usize = 1;
/// The instructions themselves.
const CODE: usize = 2;

/// How many numbers stand behind an instruction with the prefix 0xfc.
const BEHIND_PREFIX: &[u8; 18] = &[0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

/// The program, sorted. One that has an instruction which is not known here is refused.
pub fn sorted(program: &[u8]) -> Result<Vec<u8>> {
    let code = code(program)?;
    let mut sorter = Sorter { bytes: program, at: code.start, streams: vec![Vec::new(); STREAMS] };
    let functions = sorter.number(COUNT)?;
    for _ in 0..functions {
        sorter.function()?;
    }
    if sorter.at != code.end {
        return Err("the program's code ends where nothing ends".into());
    }
    let mut out = Vec::with_capacity(program.len());
    let lengths = sorter.streams.iter().map(Vec::len);
    for number in lengths.chain([program.len(), code.start]) {
        out.extend((number as u32).to_le_bytes());
    }
    out.extend(sorter.streams.concat());
    out.extend(&program[..code.start]);
    out.extend(&program[code.end..]);
    Ok(out)
}

/// Where the body of the code section is.
fn code(program: &[u8]) -> Result<std::ops::Range<usize>> {
    let mut at = 8; // Behind the magic number and the version.
    while at < program.len() {
        let id = program[at];
        let (size, body) = number(program, at + 1)?;
        let end = body + size as usize;
        if id == 10 {
            return Ok(body..end);
        }
        at = end;
    }
    Err("the program has no code".into())
}

/// A number in the format's own way, seven bits in a byte, and where it ends.
fn number(bytes: &[u8], mut at: usize) -> Result<(u64, usize)> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = *bytes.get(at).ok_or("the program ends in the middle of a number")?;
        at += 1;
        value |= u64::from(byte & 127).checked_shl(shift).unwrap_or(0);
        shift += 7;
        if byte < 128 {
            return Ok((value, at));
        }
    }
}

struct Sorter<'p> {
    bytes: &'p [u8],
    at: usize,
    streams: Vec<Vec<u8>>,
}

impl Sorter<'_> {
    /// So many bytes go to a stream.
    fn put(&mut self, stream: usize, count: usize) -> Result {
        let end = self.at + count;
        let bytes = self.bytes.get(self.at..end).ok_or("the program ends in the middle of its code")?;
        self.streams[stream].extend(bytes);
        self.at = end;
        Ok(())
    }

    /// A number goes to a stream.
    fn number(&mut self, stream: usize) -> Result<u64> {
        let (value, end) = number(self.bytes, self.at)?;
        self.put(stream, end - self.at)?;
        Ok(value)
    }

    /// The size of a function is not kept: it ends where its last block does.
    fn function(&mut self) -> Result {
        let (size, start) = number(self.bytes, self.at)?;
        self.at = start;
        for _ in 0..self.number(LOCALS)? {
            self.number(LOCALS)?;
            self.number(LOCALS)?;
        }
        let mut open = 1;
        while open > 0 {
            let code = usize::from(*self.bytes.get(self.at).ok_or("the program ends in the middle of its code")?);
            self.put(CODE, 1)?;
            let (first, second) = (2 * code, 2 * code + 1);
            match code {
                0x00 | 0x01 | 0x05 | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => {}
                0x02..=0x04 => {
                    self.number(first)?;
                    open += 1;
                }
                0x0b => open -= 1,
                0x0c | 0x0d | 0x10 | 0x12 | 0x20..=0x26 | 0x3f..=0x42 | 0xd0 | 0xd2 => {
                    self.number(first)?;
                }
                0x11 | 0x13 | 0x28..=0x3e => {
                    self.number(first)?;
                    self.number(second)?;
                }
                0x0e | 0x1c => {
                    // A table of jumps has one more than it says, for all other cases.
                    let more = u64::from(code == 0x0e);
                    for _ in 0..self.number(first)? + more {
                        self.number(first)?;
                    }
                }
                0x43 => self.put(first, 4)?,
                0x44 => self.put(first, 8)?,
                0xfc => {
                    let which = self.number(first)? as usize;
                    let count = *BEHIND_PREFIX.get(which).ok_or("an instruction that is not known here")?;
                    for _ in 0..count {
                        self.number(second)?;
                    }
                }
                _ => return Err(format!("instruction {code:#x} is not known here")),
            }
        }
        match self.at == start + size as usize {
            true => Ok(()),
            false => Err("a function does not end where its last block does".into()),
        }
    }
}
