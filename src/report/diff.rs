//! The difference between two texts, in the unified format that `patch` and `git apply` read.

use similar::TextDiff;

/// The number of unchanged lines shown around each change.
const CONTEXT: usize = 3;

/// The changes from the old text to the new one, with three lines of context. Empty if the texts are
/// equal.
pub fn unified(old_name: &str, old: &str, new_name: &str, new: &str) -> String {
    TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(CONTEXT)
        .header(old_name, new_name)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_the_lines_around_it() {
        let (old, new) = ("x = 1;\nr = y;\n", "x = 1;\nfence;\nr = y;\n");
        assert_eq!(
            unified("a/t.fence", old, "b/t.fence", new),
            "--- a/t.fence\n+++ b/t.fence\n@@ -1,2 +1,3 @@\n x = 1;\n+fence;\n r = y;\n"
        );
    }

    #[test]
    fn distant_changes_are_separate_hunks_and_the_last_line_may_lack_a_newline() {
        let old: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
        let mut new = old.clone();
        new.insert(2, "fence;".to_owned());
        new[20] = "twenty".to_owned();
        let diff = unified("old", &old.join("\n"), "new", &new.join("\n"));
        assert_eq!(
            diff,
            "--- old\n+++ new\n@@ -1,5 +1,6 @@\n 1\n 2\n+fence;\n 3\n 4\n 5\n\
             @@ -17,4 +18,4 @@\n 17\n 18\n 19\n-20\n\\ No newline at end of file\n+twenty\n\
             \\ No newline at end of file\n"
        );
        assert_eq!(unified("old", "a\n", "new", "a\n"), "");
    }
}
