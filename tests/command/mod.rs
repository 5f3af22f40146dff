//! The command line, and a folder for what it reads and writes; for several tests.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of one test; it goes with its value.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("fencepost-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        Folder(folder)
    }

    /// Writes a file, and gives its path.
    pub fn put(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("the folder is there");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn fencepost(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost")).args(args).output().expect("the command line is built")
}
