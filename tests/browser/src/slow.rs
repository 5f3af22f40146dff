//! A slow line and a slow machine, as Chromium plays them.

use crate::harness::Browser;
use serde_json::json;

/// What a reader may have.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    pub name: &'static str,
    /// Kilobits a second, downwards.
    pub kilobits: f64,
    /// There and back, ms.
    pub latency_ms: f64,
    /// So many times slower than this machine.
    pub slower: f64,
    pub width: u32,
    pub height: u32,
}

impl Browser {
    /// From now on everything comes over such a line, nothing from the cache, and the processor is as slow.
    #[track_caller]
    pub fn be(&self, reader: Reader) {
        let line = json!({
            "offline": false,
            "latency": reader.latency_ms,
            "downloadThroughput": reader.kilobits * 1000.0 / 8.0,
            "uploadThroughput": reader.kilobits * 1000.0 / 16.0,
        });
        let chromium = |command: &str, parameters| self.must(self.driver().chromium(command, &parameters), command);
        chromium("Network.enable", json!({}));
        chromium("Network.setCacheDisabled", json!({ "cacheDisabled": true }));
        chromium("Network.emulateNetworkConditions", line);
        chromium("Emulation.setCPUThrottlingRate", json!({ "rate": reader.slower }));
    }

    /// A script that runs in every page before its own.
    #[track_caller]
    pub fn prepare(&self, script: &str) {
        let parameters = json!({ "source": script });
        self.must(self.driver().chromium("Page.addScriptToEvaluateOnNewDocument", &parameters), "a script before all");
    }
}
