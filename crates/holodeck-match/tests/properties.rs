//! Properties of matching.

use holodeck_match::{ActualCall, ArgMatcher, ExpectedCall, Form, Fuzzy, select};
use holodeck_value::{Number, Object, Value};
use proptest::prelude::*;

/// Texts that are numbers, nearly numbers, or words.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ +-]?[0-9]{1,4}[,_' \u{2009}\u{2019}.]?[0-9]{0,3}(e[0-9])?[ %]{0,2}",
        "[aA\u{df}sS\u{130}\u{3a3} _,\t0-1%.]{0,6}",
        any::<String>(),
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-3_i64..3).prop_map(Value::from),
        "[ab1]{0,2}".prop_map(Value::String),
    ]
}

fn arguments() -> impl Strategy<Value = Vec<(String, Value)>> {
    prop::collection::vec(("[abc]", scalar()), 0..4)
}

proptest! {
    #[test]
    fn fuzzy_is_symmetric(a in text(), b in text()) {
        let forth = Fuzzy::new(&a).matches(&Value::String(b.clone()));
        let back = Fuzzy::new(&b).matches(&Value::String(a.clone()));
        prop_assert_eq!(forth, back);
    }

    #[test]
    fn fuzzy_matches_its_own_text_in_capitals_and_its_own_numeral(text in text(), numeral in "-?(0|[1-9][0-9]{0,9})(\\.[0-9]{1,5})?") {
        let other_case = Value::String(text.to_ascii_uppercase());
        prop_assert!(Fuzzy::new(&text).matches(&other_case));
        let number = Value::Number(Number::from_lexeme(&numeral).unwrap());
        prop_assert!(Fuzzy::new(&numeral).matches(&number));
    }

    #[test]
    fn select_ignores_unasserted_arguments(
        asserted in arguments(),
        calls in prop::collection::vec((arguments(), arguments()), 0..5),
        count in 1_u32..3,
    ) {
        let args = asserted.iter().map(|(name, value)| (name.clone(), ArgMatcher::Literal(value.clone())));
        let expected = ExpectedCall { name: "t".to_owned(), args: Some(args.collect()), count, form: Form::Object };
        let plain: Vec<Object> = calls.iter().map(|(args, _)| args.iter().cloned().collect()).collect();
        let with_extra: Vec<Object> = calls
            .iter()
            .map(|(args, extra)| {
                let extra = extra.iter().map(|(name, value)| (format!("{name}_extra"), value.clone()));
                extra.chain(args.iter().cloned()).collect()
            })
            .collect();
        let verdict_on = |objects: &[Object]| {
            let calls: Vec<_> = objects.iter().map(|args| ActualCall { name: "tool", args: Some(args) }).collect();
            select(&expected, &calls)
        };
        prop_assert_eq!(verdict_on(&plain), verdict_on(&with_extra));
    }

    #[test]
    fn a_call_more_never_fails_an_entry(asserted in arguments(), calls in prop::collection::vec(arguments(), 1..5)) {
        let args = asserted.into_iter().map(|(name, value)| (name, ArgMatcher::Literal(value)));
        let expected = ExpectedCall { name: "t".to_owned(), args: Some(args.collect()), count: 1, form: Form::Object };
        let objects: Vec<Object> = calls.into_iter().map(Object::from_iter).collect();
        let calls: Vec<_> = objects.iter().map(|args| ActualCall { name: "t", args: Some(args) }).collect();
        let (all, fewer) = (select(&expected, &calls), select(&expected, &calls[1..]));
        prop_assert!(all.passed || !fewer.passed);
        prop_assert!(all.passed == all.miss.is_none() && all.passed == all.matched_call.is_some());
    }
}
