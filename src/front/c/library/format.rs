//! Formats of `printf` and its like, as far as they do more than print: `%n` stores how much was printed.

/// Whether a format has a conversion that stores through its argument: `%n` with any flags, width,
/// precision and length.
pub(crate) fn stores(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        let named = conversion
            .trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #0'I*.$hlqLjztw".contains(c));
        let has_width = conversion[..conversion.len() - named.len()].ends_with('w');
        let mut named = named.chars();
        match named.next() {
            Some('n') => return true,
            // `%wf32n`: the length has a letter of a conversion.
            Some('f') if has_width => {
                let of = named
                    .as_str()
                    .trim_start_matches(|c: char| c.is_ascii_digit());
                if of.starts_with('n') {
                    return true;
                }
            }
            // `%%` too.
            Some(_) | None => {}
        }
        rest = named.as_str();
    }
    false
}

/// The numbers of the arguments after a format that `printf` takes for texts and reads up to their ends: those of `%s`
/// without a precision. None of a format that numbers its arguments.
pub(crate) fn texts(format: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut next = 0;
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        let named = conversion
            .trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #0'I*.hlqLjzt".contains(c));
        let before = &conversion[..conversion.len() - named.len()];
        if named.starts_with('$') {
            return Vec::new();
        }
        next += before.matches('*').count();
        let mut letters = named.chars();
        match letters.next() {
            Some('s') if !before.contains('.') && !before.contains('l') => {
                found.push(next);
                next += 1;
            }
            Some('%' | 'm') | None => {}
            Some(_) => next += 1,
        }
        rest = letters.as_str();
    }
    found
}

/// What a conversion of `scanf` stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scanned {
    /// One number, or one character.
    Value,
    /// A text that ends with a 0.
    Text,
    /// How much was read so far: it does not count as read.
    Count,
}

/// The conversions of a format of `scanf` that store, in their order; `None` if one is not supported.
pub(crate) fn conversions(format: &str) -> Option<Vec<Scanned>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        let is_dropped = conversion.starts_with('*');
        let after = conversion.trim_start_matches('*');
        let named = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let width = &after[..after.len() - named.len()];
        let named = named.trim_start_matches(['h', 'l', 'j', 'z', 't', 'q', 'L']);
        let mut letters = named.chars();
        let stored = match letters.next()? {
            '%' => {
                rest = letters.as_str();
                continue;
            }
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'a' | 'A' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                Scanned::Value
            }
            'c' if is_dropped || matches!(width, "" | "1") => Scanned::Value,
            's' => Scanned::Text,
            'n' => Scanned::Count,
            '[' => {
                let set = letters.as_str();
                let set = set.strip_prefix('^').unwrap_or(set);
                // A closing bracket that comes first is in the set.
                let (first, others) = set.split_at_checked(1)?;
                letters = if first.is_empty() {
                    return None;
                } else {
                    others.split_once(']')?.1.chars()
                };
                Scanned::Text
            }
            _ => return None,
        };
        if !is_dropped {
            found.push(stored);
        }
        rest = letters.as_str();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{Scanned, conversions, stores, texts};

    #[test]
    fn the_texts_that_are_printed_are_known() {
        for (format, found) in [
            ("", vec![]),
            ("%s", vec![0]),
            ("%d %s%%%-8s", vec![1, 2]),
            ("%*s %ld %s", vec![1, 3]),
            ("%.3s %.*s %s", vec![3]),
            ("%m %p %hhd %s", vec![2]),
            ("%1$s %2$s", vec![]),
            ("%ls %s %", vec![1]),
        ] {
            assert_eq!(texts(format), found, "{format}");
        }
    }

    #[test]
    fn the_conversions_of_scanf_are_known() {
        use Scanned::{Count, Text, Value};
        for (format, found) in [
            ("", vec![]),
            ("%d", vec![Value]),
            ("%%d %*d %*s", vec![]),
            ("%d:%02x,%lld %hhu", vec![Value, Value, Value, Value]),
            ("%15s%n", vec![Text, Count]),
            ("%[^]%d]%d", vec![Text, Value]),
            ("%[a-z]%c", vec![Text, Value]),
            ("%*5c%1c", vec![Value]),
        ] {
            assert_eq!(conversions(format), Some(found), "{format}");
        }
        for format in ["%", "%5c", "%ms", "%p", "%[a", "%["] {
            assert_eq!(conversions(format), None, "{format}");
        }
    }

    #[test]
    fn every_spelling_of_n_is_found_and_nothing_else() {
        for format in [
            "%n", "a%nb", "%hhn", "%hn", "%ln", "%lln", "%jn", "%zn", "%tn", "%Ln", "%qn", "%-5n",
            "%1$n", "%*n", "%.3n", "%d%s%n", "%%%n", "%w32n", "%wf32n", "% +#0'n",
        ] {
            assert!(stores(format), "{format}");
        }
        for format in [
            "", "n", "%", "%%n", "%dn", "%sn", "%5dn", "100%", "%%%%n", "%c\n", "%wf32dn", "%fn",
            "%lfn", "%p n", "%f2n %wf",
        ] {
            assert!(!stores(format), "{format}");
        }
    }
}
