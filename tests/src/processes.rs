//! Processes that a test left behind.

/// The variable that a test marks the environment of its processes with; whatever they start inherits it.
pub const MARK: &str = "HOLODECK_TEST_MARK";

/// The processes with this mark, by their command lines; none where there is no `/proc`.
pub fn marked(mark: &str) -> Vec<String> {
    let entry = format!("{MARK}={mark}");
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .filter_map(|process| {
            let process = process.ok()?.path();
            let environ = std::fs::read(process.join("environ")).ok()?;
            let mut entries = environ.split(|b| *b == 0);
            entries.any(|e| e == entry.as_bytes()).then(|| {
                let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).replace('\0', " ")
            })
        })
        .collect()
}
