#!/usr/bin/env bash
# The steps of action.yml and of ci/gitlab.yml, one a call, so that they run on any machine:
#
#   review.sh install    puts portolan on the path when it is not there (VERSION)
#   review.sh review     reviews the work tree against BASE; writes page, SARIF and risk
#   review.sh comment    keeps one comment of a GitHub pull request up to date (REPOSITORY, NUMBER, PAGE, GH_TOKEN)
#   review.sh note       the same for a GitLab merge request (CI_* as GitLab sets them, PAGE, PORTOLAN_GITLAB_TOKEN)
#   review.sh limit      fails when RISK is FAIL_ON or worse
set -euo pipefail

mark='<!-- portolan review -->'

output() { # NAME VALUE: for later steps
    printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:-/dev/stdout}"
}

install() {
    local root=$HOME/.cache/portolan-action
    if ! command -v portolan >/dev/null && [ ! -x "$root/bin/portolan" ]; then
        cargo install --locked --root "$root" --version "$VERSION" portolan
    fi
    if [ -x "$root/bin/portolan" ] && [ -n "${GITHUB_PATH:-}" ]; then
        printf '%s\n' "$root/bin" >>"$GITHUB_PATH"
    fi
}

review() {
    local out json
    out=${RUNNER_TEMP:-$(mktemp -d)}
    # A shallow clone has no merge base; what is missing is fetched from where the clone came from.
    if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
        git fetch --quiet --no-tags --unshallow origin || printf 'the clone stays shallow\n' >&2
    fi
    portolan index >&2
    local against=()
    [ -z "${BASE:-}" ] || against=(--base "$BASE")
    portolan --no-index review "${against[@]}" --format markdown >"$out/portolan.md"
    portolan --no-index review "${against[@]}" --format sarif >"$out/portolan.sarif"
    json=$(portolan --no-index review "${against[@]}" --format json)
    output page "$out/portolan.md"
    output sarif "$out/portolan.sarif"
    output risk "$(printf '%s' "$json" | python3 -c 'import json, sys; print(json.load(sys.stdin)["grade"])')"
    [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$out/portolan.md" >>"$GITHUB_STEP_SUMMARY"
}

comment() {
    local id
    # The newest comment of ours that bears the mark.
    id=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" \
        --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id" | tail -n 1) || id=
    if [ -n "$id" ]; then
        gh api --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field body=@"$PAGE" --silent && return
    else
        gh api --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" --field body=@"$PAGE" --silent && return
    fi
    # A pull request of a fork: its token may only read.
    printf '::notice::The comment could not be written (a fork has no right to); the review stands in the summary of this job.\n'
}

note() {
    local api id
    api=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
    if [ -z "${PORTOLAN_GITLAB_TOKEN:-}" ]; then
        printf 'no PORTOLAN_GITLAB_TOKEN (a fork sees none): the review stands in this log and in the artifacts\n'
        cat "$PAGE"
        return
    fi
    # The token goes through a file: arguments are seen by other processes.
    local head
    head=$(mktemp)
    printf 'PRIVATE-TOKEN: %s\n' "$PORTOLAN_GITLAB_TOKEN" >"$head"
    id=$(curl --fail --silent --show-error --header @"$head" "$api?per_page=100" |
        python3 -c 'import json, sys; print(next((n["id"] for n in json.load(sys.stdin) if n["body"].startswith(sys.argv[1])), ""))' "$mark")
    if [ -n "$id" ]; then
        curl --fail --silent --show-error --output /dev/null --request PUT --header @"$head" --data-urlencode body@"$PAGE" "$api/$id"
    else
        curl --fail --silent --show-error --output /dev/null --request POST --header @"$head" --data-urlencode body@"$PAGE" "$api"
    fi
    rm -f "$head"
}

limit() {
    case "$FAIL_ON:$RISK" in
    high:high | medium:medium | medium:high)
        printf 'risk %s: the limit is %s\n' "$RISK" "$FAIL_ON" >&2
        exit 1
        ;;
    high:* | medium:*) ;;
    *)
        printf 'fail-on wants medium or high, not %s\n' "$FAIL_ON" >&2
        exit 2
        ;;
    esac
}

case "${1:-}" in
install | review | comment | note | limit) "$1" ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
