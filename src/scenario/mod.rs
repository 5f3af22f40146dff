//! Stand-in until the reader of scenarios arrives.
use crate::check::report::Property;
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    pub name: String,
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    pub title: String,
    pub claim: String,
    pub designs: Vec<Design>,
    pub judge: Vec<Property>,
    pub seed: u64,
}
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
    Note,
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub place: String,
    pub message: String,
    pub path: Option<String>,
    pub suggestion: Option<String>,
}
impl Diagnostic {
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    pub scenario: Option<Scenario>,
    pub diagnostics: Vec<Diagnostic>,
}
pub fn parse(text: &str) -> Parsed {
    let bad = text.contains("sec\"") || text.contains("= [") || text.len() > 65536;
    Parsed {
        scenario: (!bad).then(|| Scenario {
            title: "GC pause".into(),
            claim: "A paused holder writes after its lease has ended, whatever the lock service.".into(),
            designs: vec![Design { name: "Safe release".into() }, Design { name: "Fencing".into() }],
            judge: Property::JUDGED.to_vec(),
            seed: 1,
        }),
        diagnostics: if bad {
            vec![Diagnostic {
                severity: Severity::Error,
                line: Some(5),
                column: Some(1),
                place: "fault 1".into(),
                path: Some("fault.0.until".into()),
                suggestion: None,
                message: "Unknown unit.".into(),
            }]
        } else {
            vec![]
        },
    }
}
pub mod preset {
    pub struct Preset {
        pub id: &'static str,
        pub number: u32,
        pub group: &'static str,
        pub title: &'static str,
        pub claim: &'static str,
        pub text: &'static str,
    }
    static P: &[Preset] = &[Preset {
        id: "gc-pause",
        number: 9,
        group: "Basics",
        title: "GC pause",
        claim: "A paused holder writes after its lease has ended.",
        text: "schema = \"fencepost.scenario/1\"\ntitle = \"GC pause\"\n",
    }];
    pub fn all() -> &'static [Preset] {
        P
    }
    pub fn by_id(id: &str) -> Option<&'static Preset> {
        P.iter().find(|p| p.id == id)
    }
}
