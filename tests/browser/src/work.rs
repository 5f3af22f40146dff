//! How much a page makes the machine work: seconds of the main thread's own time in Chromium, which do not count what else the machine does.

use crate::harness::Browser;
use serde_json::json;

/// Seconds of processor time of the page's main thread, since it was opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// All of it: scripts, style, layout, painting, and answering.
    pub all: f64,
    pub script: f64,
    pub style: f64,
    pub layout: f64,
}

impl Work {
    /// What has been done since another moment.
    pub fn since(self, before: Work) -> Work {
        Work {
            all: self.all - before.all,
            script: self.script - before.script,
            style: self.style - before.style,
            layout: self.layout - before.layout,
        }
    }
}

impl Browser {
    /// Has the browser count, and wait for scripts that take minutes. Only Chromium can.
    #[track_caller]
    pub fn count_work(&self) {
        let domain = json!({ "timeDomain": "threadTicks" });
        self.must(self.driver().chromium("Performance.enable", &domain), "counting");
        self.must(self.driver().post("timeouts", &json!({ "script": 600_000 })), "patience");
    }

    /// What the page's main thread has done so far.
    #[track_caller]
    pub fn work(&self) -> Work {
        let metrics = self.must(self.driver().chromium("Performance.getMetrics", &json!({})), "work");
        let all = metrics["metrics"].as_array().map_or(&[][..], Vec::as_slice);
        let named = |name: &str| {
            all.iter().find(|metric| metric["name"] == name).and_then(|metric| metric["value"].as_f64()).unwrap_or(0.0)
        };
        Work {
            all: named("TaskDuration"),
            script: named("ScriptDuration"),
            style: named("RecalcStyleDuration"),
            layout: named("LayoutDuration"),
        }
    }
}
