use super::*;

#[test]
fn candidates_stay_below_their_folder() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    std::fs::create_dir_all(root.join("in/a")).unwrap();
    for file in [
        "b.so",
        "in/b.so",
        "in/libb.so",
        "in/a/b.so",
        "in/a/libb.dylib",
        "in/a/b.py",
    ] {
        std::fs::write(root.join(file), "").unwrap();
    }
    std::fs::create_dir(root.join("in/d.so")).unwrap();
    let found = |module: &str| -> Vec<String> {
        candidates(&root.join("in"), module)
            .iter()
            .map(|path| path.strip_prefix(root).unwrap().display().to_string())
            .collect()
    };
    assert_eq!(found("a.b"), ["in/a/b.so", "in/a/libb.dylib"]);
    assert_eq!(found("b"), ["in/b.so", "in/libb.so"]);
    for module in ["", ".", "..b", ".b", "a.", "../b", "d", "c", "a"] {
        assert!(found(module).is_empty(), "{module}");
    }
}
