//! The last line about a server: how much was compared, and which differences are known.

use std::io::Write as _;

/// Past the test runner's capture: this line is what the suite is for.
pub fn say(server: &str, operations: u64, of_them: &str, known: &[&str]) {
    let number = grouped(operations);
    let mut line = format!("{server}: {number} operations ({of_them}), 0 differences");
    if !known.is_empty() {
        line += &format!(" ({} known)", known.len());
    }
    for it in known {
        line += &format!("\n    known: {it}");
    }
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// With commas between thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|it| std::str::from_utf8(it).ok()).collect();
    groups.join(",")
}
