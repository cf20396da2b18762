# Shared by dev/setup, dev/test and .ci/run; sourced, not run.
# shellcheck shell=bash

# The clone that these scripts belong to.
# shellcheck disable=SC2034 # used by those who source this
PORTOLAN_CLONE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "error: $*"
    exit 2
}

# Kuzu's engine takes minutes to compile: every clone and work tree shares one folder, unless told otherwise.
use_shared_target() {
    export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/portolan/target}"
    mkdir -p "$CARGO_TARGET_DIR" || fail "cannot make the build folder $CARGO_TARGET_DIR; set CARGO_TARGET_DIR to another"
    if command -v ccache >/dev/null; then
        export CMAKE_C_COMPILER_LAUNCHER="${CMAKE_C_COMPILER_LAUNCHER:-ccache}"
        export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}"
    fi
}

has_cxx20() {
    local cxx
    for cxx in "${CXX:-}" c++ g++ clang++; do
        if [ -z "$cxx" ] || ! command -v "$cxx" >/dev/null; then continue; fi
        printf '#include <concepts>\n#include <span>\nint main() {}\n' | "$cxx" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null && return
    done
    return 1
}

# install PACKAGE...: with apt-get, as root or through sudo without a question; says no when that cannot be done.
install() {
    command -v apt-get >/dev/null || return 1
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || return 1
        if [ -t 0 ]; then as_root=(sudo); else as_root=(sudo -n); fi
        "${as_root[@]}" true || return 1
    fi
    say "installing $*"
    # The lists of a fresh container are empty, and those of an old one name files that are gone.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
        apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 && exit
        apt-get update -qq && apt-get install -y --no-install-recommends "$@" >/dev/null
    ' sh "$@" >&2
}

# What compiling needs beside Rust.
need_tools() {
    local missing=()
    command -v git >/dev/null || missing+=(git)
    command -v cmake >/dev/null || missing+=(cmake)
    command -v make >/dev/null || missing+=(make)
    has_cxx20 || missing+=(g++)
    if [ ${#missing[@]} -gt 0 ]; then
        install "${missing[@]}" ||
            fail "these packages are missing and cannot be installed from here: ${missing[*]}. On Debian or Ubuntu: sudo apt-get install ${missing[*]}"
        has_cxx20 || fail "the C++ compiler does not know C++20; install g++ 10 or later (or set CXX)"
    fi
    # shellcheck source=/dev/null
    command -v cargo >/dev/null || [ ! -e "$HOME/.cargo/env" ] || . "$HOME/.cargo/env"
    command -v cargo >/dev/null || fail "there is no Rust toolchain; https://rustup.rs installs one"
    # rust-toolchain.toml names a version, which rustup may have been told not to fetch by itself.
    if command -v rustup >/dev/null && ! cargo --version >/dev/null 2>&1; then
        say "installing the Rust toolchain that rust-toolchain.toml names"
        rustup toolchain install --no-self-update >&2 || fail "rustup cannot install that toolchain"
    fi
    local wanted found
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$PORTOLAN_CLONE/Cargo.toml")
    found=$(cargo --version | cut -d' ' -f2)
    [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n1)" = "$wanted" ] ||
        fail "cargo is $found, Portolan needs $wanted or later; https://rustup.rs installs it"
}

# How far Kuzu's engine is: "123 of 514", or nothing when it is not being compiled.
engine_progress() {
    local tree all
    for tree in "$CARGO_TARGET_DIR"/release/build/kuzu-*/out/build; do
        if [ ! -d "$tree" ] || [ -e "${tree%/build}/libkuzu_rs.a" ]; then continue; fi
        all=$(grep -c '"file":' "$tree/compile_commands.json" 2>/dev/null || true)
        printf '%s of %s' "$(find "$tree" -name '*.o' 2>/dev/null | wc -l)" "${all:-some 500}"
        return
    done
}

# build CARGO_ARGUMENT...: cargo, with a line that says how far it is.
build() {
    local log started pid now last=-100 text objects step=15 width
    log=$(mktemp)
    started=$SECONDS
    [ -t 2 ] && step=1
    cargo "$@" 2>"$log" &
    pid=$!
    # shellcheck disable=SC2064 # the values of now are meant
    trap "kill $pid 2>/dev/null; exit 130" INT TERM
    while kill -0 "$pid" 2>/dev/null; do
        sleep 1
        now=$((SECONDS - started))
        [ $((now - last)) -ge "$step" ] || continue
        last=$now
        objects=$(engine_progress)
        text=$(grep -E '^ +(Updating|Downloading|Blocking|Compiling|Checking|Finished) ' "$log" | tail -n 1 || true)
        text=${text#"${text%%[![:space:]]*}"}
        [ -n "$objects" ] && text="compiling Kuzu's engine: $objects objects (once; later builds reuse it)"
        text=$(printf '%3d:%02d  %s' $((now / 60)) $((now % 60)) "$text")
        if [ -t 2 ]; then
            width=$(tput cols 2>/dev/null || echo 80)
            printf '\r\033[K%s' "${text:0:$((width - 1))}" >&2
        else
            say "$text"
        fi
    done
    trap - INT TERM
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
    if ! wait "$pid"; then
        tail -n 60 "$log" >&2
        say "the whole log: $log"
        return 1
    fi
    rm -f "$log"
    say "built in $((SECONDS - started)) s: $CARGO_TARGET_DIR/release"
}
