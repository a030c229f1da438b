//! What `float()` takes and gives, against our own reading of Python's grammar; and that what rule N1 takes without any flag is what
//! `float()` takes, but for [`LAXER`].

use holodeck_value::numeral::{self, Accept};
use serde_json::json;

use super::{Python, Rng, Tally};
use crate::workspace::Result;

const N_TEXTS: usize = 20_000;

/// Pieces of which numerals and near misses are made.
const PIECES: &[&str] = &[
    "0",
    "1",
    "7",
    "42",
    "206588",
    "00",
    "9007199254740993",
    "٣",
    "１",
    "𝟗",
    ".",
    ".",
    "e",
    "E",
    "+",
    "-",
    "_",
    "_",
    " ",
    "\t",
    "\n",
    "\u{a0}",
    "\u{2009}",
    "\u{1c}",
    "\u{feff}",
    "inf",
    "Infinity",
    "NAN",
    "nan",
    "x",
    "0x",
    "%",
    ",",
    "'",
    "\u{2212}",
    "",
    "",
];

/// Characters that rule N1 takes and `float()` does not: the typographic minus, and white space that only `str.isspace` knows.
const LAXER: [char; 2] = ['\u{2212}', '\u{1c}'];

const ZERO: &str = "0000000000000000";
const MINUS_ZERO: &str = "8000000000000000";

/// Random strings to both sides.
pub(crate) fn run(python: &Python) -> Result<Tally> {
    let mut rng = Rng::new(311);
    let texts: Vec<String> = (0..N_TEXTS).map(|_| text(&mut rng)).collect();
    let questions: Vec<String> = texts
        .iter()
        .map(|text| json!({ "text": text }).to_string())
        .collect();
    let mut tally = Tally::new("float() of strings");
    for (text, answer) in texts.iter().zip(python.ask("float.py", &questions)?) {
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        let python = answer["float"].as_str().unwrap_or("refuses");
        let ours = numeral::python_float(text).map_or("refuses".to_owned(), shown);
        tally.compare(&format!("{text:?}"), python, &ours);
        let stricter = !text.contains(LAXER);
        if stricter && let Ok(number) = numeral::read(text, Accept::default()) {
            // An exact decimal has one zero.
            let python = python.replace(MINUS_ZERO, ZERO);
            let input = format!("{text:?} under N1");
            let ours = shown(number.to_f64()).replace(MINUS_ZERO, ZERO);
            tally.compare(&input, &python, &ours);
        }
    }
    Ok(tally)
}

/// Half of them are well-formed numerals, the others are pieces in any order.
fn text(rng: &mut Rng) -> String {
    if rng.below(2) == 0 {
        return (0..=rng.below(5)).map(|_| rng.pick(PIECES)).collect();
    }
    let sign = rng.pick(&["", "-", "+", " ", "\n-"]);
    let whole = rng.below(1_000_000);
    let fraction = match rng.below(3) {
        0 => String::new(),
        _ => format!(".{}", rng.bits() % 100_000_000_000_000_000),
    };
    let exponent = match rng.below(3) {
        0 => format!("e{}{}", rng.pick(&["", "-", "+"]), rng.below(400)),
        _ => String::new(),
    };
    let end = rng.pick(&["", "", " ", "\u{3000}"]);
    format!("{sign}{whole}{fraction}{exponent}{end}")
}

/// The bits of a float, NaN as one; as the script writes them.
fn shown(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    format!("{:016x}", float.to_bits())
}
