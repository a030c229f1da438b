//! Means of scores that do not depend on the order in which they are added, so that parallel runs report the same numbers.

/// A score as JSON can have it: NaN is 0, and what lies outside 0..=1, which only a broken metric says, is the nearer end.
pub(crate) fn in_range(score: f64) -> f64 {
    if score.is_nan() {
        0.0
    } else {
        score.clamp(0.0, 1.0)
    }
}

/// A sum of floats without rounding on the way (Shewchuk's partials, as in Python's `math.fsum`).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mean {
    /// Non-overlapping, by growing magnitude; a few at most, however many were added.
    partials: Vec<f64>,
    n: u64,
}

impl Mean {
    /// Adds one score.
    pub(crate) fn add(&mut self, score: f64) {
        self.n += 1;
        let mut x = in_range(score);
        let mut kept = 0;
        for i in 0..self.partials.len() {
            let mut y = self.partials[i];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                self.partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        self.partials.truncate(kept);
        self.partials.push(x);
    }

    /// How many were added.
    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    /// Their mean; `None` of nothing.
    pub(crate) fn get(&self) -> Option<f64> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "no run has 2^53 scores of a metric"
        )]
        let n = self.n as f64;
        (self.n > 0).then(|| self.sum() / n)
    }

    /// The sum, rounded once.
    #[expect(clippy::float_cmp, reason = "exact by design")]
    fn sum(&self) -> f64 {
        let mut rest = self.partials.iter().rev().copied();
        let mut sum = rest.next().unwrap_or(0.0);
        while let Some(y) = rest.next() {
            let x = sum;
            sum = x + y;
            let low = y - (sum - x);
            if low == 0.0 {
                continue;
            }
            // A half was rounded to even, but what follows says which way it should have gone.
            let follows = rest.next().unwrap_or(0.0);
            if (low < 0.0 && follows < 0.0) || (low > 0.0 && follows > 0.0) {
                let other = sum + low * 2.0;
                if other - sum == low * 2.0 {
                    sum = other;
                }
            }
            break;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Mean;

    fn mean(scores: &[f64]) -> Option<f64> {
        let mut mean = Mean::default();
        for &score in scores {
            mean.add(score);
        }
        mean.get()
    }

    #[test]
    fn ten_tenths_have_the_mean_one_tenth() {
        assert_eq!(mean(&[0.1; 10]), Some(0.1));
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[0.0, 1.0, f64::NAN, -1e308, 1e308]), Some(0.4));
    }

    proptest! {
        #[test]
        fn the_order_does_not_matter(mut scores in prop::collection::vec(0.0..=1.0, 1..50)) {
            let there = mean(&scores);
            scores.reverse();
            let back = mean(&scores);
            scores.sort_by(f64::total_cmp);
            prop_assert_eq!(there, back);
            prop_assert_eq!(there, mean(&scores));
        }
    }
}
