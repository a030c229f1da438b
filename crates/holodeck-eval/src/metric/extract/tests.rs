use holodeck_match::PyRegex;

use super::*;

/// Every number of a text: its numeral, `!` before one that is a trap.
fn numbers(text: &str) -> Vec<String> {
    tokens(text)
        .map(|t| match t.trap {
            None => t.numeral,
            Some(_) => format!("!{}", t.shown),
        })
        .collect()
}

#[track_caller]
fn check(cases: &[(&str, &[&str])]) {
    let wrong: Vec<_> = cases
        .iter()
        .filter(|(text, expected)| numbers(text) != *expected)
        .map(|(text, expected)| format!("{text:?}: {:?}, expected {expected:?}", numbers(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn surroundings_do_not_matter() {
    check(&[
        ("The answer is 25587.", &["25587"]),
        ("**25,587**", &["25,587"]),
        ("_25587_, `5` \"7\" '8'", &["25587", "5", "7", "8"]),
        ("$1,234.50/month", &["1,234.50"]),
        ("US$15.9 million", &["15.9"]),
        ("INR19 or 20EUR or £ 7 or 8€", &["19", "20", "7", "8"]),
        (
            "**14.1**%, `14` %, *5***%**, *5*6%",
            &["14.1%", "14%", "5%", "5", "6%"],
        ),
        ("\\boxed{42}", &["42"]),
        ("$42$", &["42"]),
        ("\\$5", &["5"]),
        ("14.1%, 14.1 % and 14\\%.", &["14.1%", "14.1%", "14%"]),
        ("total:5;x=6|7", &["5", "6", "7"]),
        ("A: -33000", &["-33000"]),
        ("No.5, Rs.500, ...6, 7...", &["5", "500", "6", "7"]),
        ("答案是25587元", &["25587"]),
        ("\u{662}\u{665}\u{ff05} x", &["!\u{662}\u{665}"]),
        ("25°C, ~5, ≈6, <7>, #8", &["25", "5", "6", "7", "8"]),
        (
            "48+5.8 = <<48+5.8=53.8>>53.8",
            &["48", "5.8", "48", "5.8", "53.8", "53.8"],
        ),
        ("5 × 4 = 20", &["5", "4", "20"]),
        ("2009's 5th year", &["2009"]),
        ("1e5, 1.5E-3 and .0751", &["1e5", "1.5E-3", ".0751"]),
        ("1.5e+3, 1E+05. $2e+1%", &["1.5e+3", "1E+05", "2e+1%"]),
        ("value+5, 3e + 4", &["5", "!3e", "4"]),
        ("25587.That is it", &["25587"]),
        ("", &[]),
        ("no", &[]),
    ]);
}

#[test]
fn signs_are_told_from_hyphens_and_bullets() {
    check(&[
        ("-5 +6 \u{2212}7", &["-5", "6", "-7"]),
        (
            "-$3,015 -$ 4 $-5 -US$6 \u{2212}€7",
            &["-3,015", "-4", "-5", "-6", "-7"],
        ),
        ("- 5 apples", &["5"]),
        ("30 - 18 = 12", &["30", "18", "12"]),
        ("-.14", &["-.14"]),
        ("**-5**", &["-5"]),
        ("x=-5", &["-5"]),
        ("(30)-18", &["-30", "18"]),
        ("the total\u{2014}5 apples", &["5"]),
        ("Result \u{2013}5", &["!\u{2013}5"]),
        ("--5", &["!-5"]),
        ("100 ±5, +/-6", &["100", "!±5", "!-6"]),
        ("COVID-19 and F-16", &[]),
        ("-USD 5, EUR-USD 6", &["-5", "6"]),
        (
            "30 \u{2212} 18, (30) \u{2212} 18",
            &["30", "18", "-30", "18"],
        ),
    ]);
}

#[test]
fn sign_that_stands_apart_is_not_lost() {
    check(&[
        (
            "-**5**, \u{2212}`$6`, {-}7",
            &["!-**5", "!\u{2212}`$6", "!-}7"],
        ),
        (
            "-\u{2060}5, \u{2212}\u{200e}6",
            &["!-\u{2060}5", "!\u{2212}\u{200e}6"],
        ),
        ("x = - 5, (- 6), | - 7 |", &["!- 5", "!(- 6)", "!- 7"]),
        ("\u{2212} 5", &["!\u{2212} 5"]),
        ("100 ± 5", &["100", "!± 5"]),
        ("1. - 5\n- 6 apples", &["1", "5", "6"]),
        ("- **5** apples, 3-**6**", &["5", "3", "6"]),
    ]);
}

#[test]
fn accounting_parentheses_are_negative() {
    check(&[
        ("(1,234)", &["-1,234"]),
        ("$(9,982) million", &["-9,982"]),
        (
            "($5) (5%) (6)% (7 ) (8€)",
            &["-5", "-5%", "-6%", "-7", "-8"],
        ),
        ("(-5) and (+6)", &["-5", "6"]),
        ("(25587 USD)", &["25587"]),
        ("f(5), [7](8)", &["5", "7", "8"]),
        ("(5, 6)", &["5", "6"]),
        ("-(5)", &["!(5)"]),
        ("£(8.1m)", &["!£(8.1m)"]),
        ("(**1,234**) or **(5)**%", &["-1,234", "-5%"]),
    ]);
}

#[test]
fn words_with_digits_are_passed_over() {
    check(&[
        ("on 2009-12-31 at 10:30 or 10:30:59", &[]),
        ("31/12/2009, 31.12.2009 and 555-123-4567", &[]),
        ("FY2009, 10-K, Q3, 14-day, v1.2, x1, A4, m², CO₂", &[]),
        ("version 3.5.1 at 10.0.0.1", &[]),
        ("1st 2nd 3rd 20th 1990s 10am 5pm", &[]),
        ("2009-2010, 2009/10 and 2009\u{2013}10", &[]),
        ("https://example.com/2009/5?x=7 and www.x.org/3", &[]),
        ("snake_5 var_{7} x^2 3f2ab9c8", &[]),
        ("FY'09", &[]),
    ]);
}

#[test]
fn what_can_not_be_read_is_not_jumped_over() {
    check(&[
        ("1,23", &["!1,23"]),
        ("1.234,56", &["!1.234,56"]),
        ("1.234.567", &["!1.234.567"]),
        ("1,2,3", &["!1,2,3"]),
        ("206 588", &["!206 588"]),
        ("1 206 588.50 left", &["!1 206 588.50"]),
        ("1'234", &["!1'234"]),
        ("from 5 to 3-4", &["5", "!3-4"]),
        ("5\u{2013}7%", &["!5\u{2013}7%"]),
        ("5%-7%", &["!5%-7%"]),
        ("$5-$7", &["!$5", "!$7"]),
        ("1/2", &["!1/2"]),
        ("2½ or ½", &["!2½", "!½"]),
        ("25k, 5kg, 0x10, 25万", &["!25k", "!5kg", "!0x10", "!25万"]),
        ("10^6, 10⁶, 2^-3", &["!10^6", "!10⁶", "!2^-3"]),
        ("1.5 × 10^6 or 1.5x10^6", &["!1.5 × 10^6", "!1.5x10^6"]),
        ("2 \\times 10^{6}", &["!2 \\times 10", "!6"]),
        ("\\frac{1}{2}", &["!1", "!2"]),
        ("25{,}587", &["!25", "!587"]),
        ("50%% 7‰", &["!50%", "!7"]),
        ("3:4, Q4:25587", &["!3:4", "25587"]),
        ("2 1/2 cups, 3 ¾", &["!2 1/2", "!3 ¾"]),
        ("10**6, 5 ^ 2", &["!10**6", "!5", "!2"]),
        (
            "1，234 1\u{2007}234 1·5 1\u{200b}2",
            &["!1，234", "!1\u{2007}234", "!1·5", "!1\u{200b}2"],
        ),
        (
            "1\u{200e}2 1\u{336}2 1\u{fe0f}\u{20e3}2",
            &["!1\u{200e}2", "!1\u{336}2", "!1\u{fe0f}\u{20e3}2"],
        ),
        (
            "from 30 to 25million, 7dollars",
            &["30", "!25million", "!7dollars"],
        ),
        ("5€-7€ or 5 %-7 %", &["5", "!€-7", "5%", "!-7 %"]),
        ("7 ‰, 8 \u{ff05}, 9\u{66a}", &["!7", "!8", "!9"]),
        ("√2, \\sqrt{3}, sqrt(4)", &["!2", "!3", "!4"]),
        ("25\\;587, 5\\,\\text{kg}", &["!25", "!587", "5"]),
        ("5 x 10**3", &["!5 x 10**3"]),
    ]);
}

#[test]
fn separators_that_can_be_read_stay_in_one_number() {
    check(&[
        (
            "206,588, 2,06,588 and 1_000",
            &["206,588", "2,06,588", "1_000"],
        ),
        ("206\u{a0}588\u{a0}USD", &["206\u{a0}588"]),
        ("1, 234", &["1", "234"]),
        ("2009 500", &["2009", "500"]),
    ]);
}

#[test]
fn shown_text_is_the_number_with_its_signs() {
    let shown = |text: &'static str| tokens(text).last().map(|t| t.shown);
    assert_eq!(shown("loss of $(1,234)."), Some("$(1,234)"));
    assert_eq!(shown("-$ 5 % off"), Some("-$ 5 %"));
}

fn picked(extract: &Extract, text: &str) -> Result<String, String> {
    pick(extract, text)
        .map(|p| p.token.numeral)
        .map_err(|e| e.to_string())
}

#[test]
fn regex_group_is_read_alone() {
    let by = |pattern: &str| Extract::Regex(PyRegex::new(pattern).unwrap());
    assert_eq!(
        picked(&by("is (.*) or"), "it is **(5)** or 6"),
        Ok("-5".into())
    );
    // Inside a word, because the author asked for it.
    assert_eq!(picked(&by(r"FY(\d+)"), "FY2009"), Ok("2009".into()));
    assert_eq!(
        picked(&by("is (.*)"), "it is 5 or 6"),
        Err("gives \"5 or 6\" by the `extract` regex, which has more than one number in it".into())
    );
    assert_eq!(
        picked(&by("total (.*)"), "it is 5"),
        Err("does not match the `extract` regex `total (.*)`".into())
    );
}

#[test]
fn regex_does_not_cut_a_number_short() {
    let by = |pattern: &str| Extract::Regex(PyRegex::new(pattern).unwrap());
    for (pattern, text, part, whole) in [
        (r"(\d+)", "it is 25.9.", "25", "25.9"),
        (r"is \$(\d+)", "it is $1,234", "1", "$1,234"),
        (r"(\d+)$", "it is 1.25", "25", "1.25"),
        (r"[\d.]+", "it is 1.5e3", "1.5", "1.5e3"),
    ] {
        assert_eq!(
            picked(&by(pattern), text),
            Err(format!(
                "gives \"{part}\" by the `extract` regex, which is only a part of \"{whole}\""
            ))
        );
    }
    for (pattern, text, number) in [
        (r"(\d+)\.\d", "it is 25.9", "25"),
        (r"3\.(\d+)", "version 3.11", "11"),
        (r"(\d+)-", "on 2009-12-31", "2009"),
        (r"(\d+)", "-5%", "5"),
        (r"(\d+)$", "1 25", "25"),
    ] {
        assert_eq!(picked(&by(pattern), text), Ok(number.into()), "{pattern}");
    }
    assert_eq!(
        picked(&by("(5)?6"), "6"),
        Err("matches the `extract` regex `(5)?6`, but its group took no part".into())
    );
}

#[test]
fn long_text_is_scanned_in_one_pass() {
    for piece in [
        "1 234 ", ".", "1,", "(", "-", "5%", "a-", "$ ", "1^", "1e+", "\"", "-*5", "\u{200b}",
    ] {
        let text = piece.repeat(100_000);
        assert!(tokens(&text).count() <= 100_000 * 2);
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_scanned(text in "[0-9 .,%$()\\-−–+^{}\\\\a-cUSDé½²万\u{a0}'/:_*~±€\n٣]{0,40}|\\PC{0,40}") {
        let mut from = 0;
        for token in tokens(&text) {
            // In order, and none twice.
            let at = token.shown.as_ptr() as usize - text.as_ptr() as usize;
            proptest::prop_assert!(at >= from, "{token:?}");
            from = at + token.shown.len();
            proptest::prop_assert!(token.trap.is_some() || numeral::read(&token.numeral, ALL).is_ok(), "{token:?}");
        }
    }

    #[test]
    fn number_in_a_sentence_is_that_number(
        number in "-?(0|[1-9][0-9]{0,2}(,[0-9]{3}){0,3}|[1-9][0-9]{3,12})(\\.[0-9]{1,4})?%?",
        before in "(it is |\\*\\*|\\$|= |: |\n|\\[|)",
        after in "(\\.|\\*\\*| thousand|,| USD|\n|\\]|; |)",
    ) {
        let text = format!("{before}{number}{after}");
        proptest::prop_assert_eq!(numbers(&text), [number.as_str()]);
    }
}
