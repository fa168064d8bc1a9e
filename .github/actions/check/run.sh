#!/usr/bin/env bash
# Runs Fencepost, and leaves the exit code and the file with the findings to later steps, which fail after the upload.
#
# Environment: $COMMAND, $FILES, $ARGUMENTS, $REPORT (`sarif` or `github`), and $RUNNER_TEMP and $GITHUB_OUTPUT of the
# runner.
set -euo pipefail

# Blanks and line breaks separate words; patterns are Fencepost's to expand.
words() {
    local IFS=$' \t\n'
    set -f
    # shellcheck disable=SC2206 # That is the purpose.
    list=($1)
    set +f
}
# shellcheck disable=SC2153 # The environment has it.
words "$FILES"
files=(${list[@]+"${list[@]}"})
words "${ARGUMENTS:-}"
arguments=(${list[@]+"${list[@]}"})
if [ "${#files[@]}" -eq 0 ]; then
    echo "::error::\`files\` names no files"
    exit 2
fi

code=0
case "$REPORT" in
    sarif)
        sarif="$RUNNER_TEMP/fencepost.sarif"
        fencepost "$COMMAND" --each --message-format sarif ${arguments[@]+"${arguments[@]}"} -- "${files[@]}" >"$sarif" ||
            code=$?
        # There is no log if the command line is wrong.
        if [ -s "$sarif" ]; then
            echo "sarif=$sarif" >>"$GITHUB_OUTPUT"
        fi
        ;;
    github)
        fencepost "$COMMAND" --each --message-format github ${arguments[@]+"${arguments[@]}"} -- "${files[@]}" || code=$?
        ;;
    *)
        echo "::error::\`report\` is \`$REPORT\`: use \`sarif\` or \`github\`"
        exit 2
        ;;
esac
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
echo "fencepost $COMMAND ended with $code: 0 holds, 1 violated, 2 invalid input, 3 undecided"
