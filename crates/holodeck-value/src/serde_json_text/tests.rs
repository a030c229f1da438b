use crate::{Object, Value};

#[test]
fn numerals_survive_serde_json_both_ways() {
    let text = r#"{"a":[1.50,1e400,-0,123456789012345678901234567890,-7,18446744073709551615,0.1000000000000000055],"b":"x","c":null}"#;
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    let object: Object = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&object).unwrap(), text);
    assert!(serde_json::from_str::<Object>("[1]").is_err());
}

#[test]
fn what_json_lacks_becomes_a_string() {
    let value = Value::from_json("[NaN,-Infinity]").unwrap();
    assert_eq!(value.to_json(), r#"["NaN","-Infinity"]"#);
}

#[test]
fn the_deepest_value_that_is_read_goes_through_serde_too() {
    let text = format!("{}{}", "[".repeat(512), "]".repeat(512));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    let object: Result<Object, _> = serde_json::from_str(&format!("{{\"a\":[{text}]}}"));
    assert!(
        object
            .unwrap_err()
            .to_string()
            .contains("levels of nesting")
    );
}
