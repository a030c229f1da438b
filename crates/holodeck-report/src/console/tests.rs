use super::{Style, Verbosity};
use crate::sample;

#[test]
fn look() {
    let cases = sample::cases();
    let mut out = Vec::new();
    let mut iter = cases.iter().cloned().map(Ok);
    super::write(
        &sample::header(),
        &sample::summary(&cases),
        &mut iter,
        Style::default(),
        Verbosity::Normal,
        &mut out,
    )
    .unwrap();
    println!("{}", String::from_utf8(out).unwrap());
}
