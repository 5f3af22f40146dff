//! One line per event: snapshots, command line, accessible fallback.
