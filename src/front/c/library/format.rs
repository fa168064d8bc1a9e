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

#[cfg(test)]
mod tests {
    use super::stores;

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
