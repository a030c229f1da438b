//! What a person sees: `ui/*.trycmd`, and the commands in the guides. `cargo xtask bless` rewrites them.

use holodeck_tests::program;

#[test]
fn transcripts_are_what_the_program_prints() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().to_str().unwrap();
    trycmd::TestCases::new()
        .register_bin("holodeck", program::path())
        .env("HOME", home)
        .env("NO_COLOR", "1")
        .env("OPENAI_API_KEY", "")
        .env("OPENAI_BASE_URL", "")
        .case("ui/*.trycmd")
        .case("../docs/guide/*.md");
}
