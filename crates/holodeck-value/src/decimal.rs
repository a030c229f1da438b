//! Exact decimal numbers: compared without expanding exponents, and subtracted within limits.

/// An exact decimal: sign x digits x 10^exponent.
#[derive(Clone, Debug)]
pub struct Decimal(());

impl Decimal {
    /// Reads `[+-]digits[.digits][(e|E)[+-]digits]` (digits ASCII, on at least one side of the point), any size.
    pub fn parse(lexeme: &str) -> Option<Self> {
        let _ = lexeme;
        todo!()
    }
    /// Rule N2: `|self - expected| <= absolute`, or, if `relative > 0`, `<= relative * |expected|`; exact and inclusive.
    pub fn within(&self, expected: &Self, absolute: &Self, relative: &Self) -> bool {
        let _ = (expected, absolute, relative);
        todo!()
    }
    /// `|self - other|`, exact; `None` where the exponents lie so far apart that the difference can't be written out.
    pub fn distance(&self, other: &Self) -> Option<Self> {
        let _ = other;
        todo!()
    }
    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        todo!()
    }
    /// The nearest binary64.
    pub fn to_f64(&self) -> f64 {
        todo!()
    }
}

impl PartialEq for Decimal {
    fn eq(&self, _: &Self) -> bool {
        todo!()
    }
}
impl PartialOrd for Decimal {
    fn partial_cmp(&self, _: &Self) -> Option<std::cmp::Ordering> {
        todo!()
    }
}
impl std::fmt::Display for Decimal {
    /// Plain notation where it is short (`206588.5`), else scientific (`1e+400`).
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        todo!()
    }
}
