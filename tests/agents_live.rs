//! Real coding agents, driven by a scripted model on the loopback interface: see `agents_live/test_agents.py`.

use std::path::PathBuf;
use std::process::Command;

/// The folder into which `dev/agents` installed the agents, or the one that `PORTOLAN_AGENTS` names.
fn installed() -> Option<PathBuf> {
    let named = std::env::var_os("PORTOLAN_AGENTS").map(PathBuf::from);
    let cache = || {
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        Some(cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?.join("portolan/agents"))
    };
    named.or_else(cache).filter(|folder| folder.join("node_modules/.bin").is_dir())
}

#[test]
fn real_agents_get_maps_and_are_kept_from_claimed_files() {
    let Some(agents) = installed() else {
        eprintln!("SKIPPED: no coding agents are installed; `bash dev/agents` installs them (npm, about 1 GB)");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/agents_live");
    let in_python = ["python3", "-m", "unittest", "-v", "test_agents"];
    // Nothing but the loopback interface, where the system allows a name space of one's own.
    let alone = ["unshare", "-rn", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"];
    let probe = Command::new(alone[0]).args(&alone[1..]).arg("true").output();
    let mut words: Vec<&str> =
        if probe.is_ok_and(|probe| probe.status.success()) { alone.to_vec() } else { Vec::new() };
    words.extend(in_python);
    let output = Command::new(words[0])
        .args(&words[1..])
        .current_dir(script)
        .env("PORTOLAN", env!("CARGO_BIN_EXE_portolan"))
        .env("PORTOLAN_AGENTS", agents)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            eprintln!("SKIPPED: python3 cannot be started: {error}");
            return;
        }
    };
    let told = String::from_utf8_lossy(&output.stderr);
    eprintln!("{told}");
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stdout));
}
