//! Absolute paths from what hosts and models write, by text alone.

use std::path::PathBuf;

/// A directory or nothing: what relative paths stand on.
#[derive(Clone, Debug, Default)]
pub(super) struct Base(String);

/// No system has longer directories, in bytes.
const MAX_BASE: usize = 8192;

impl Base {
    /// A directory as the host tells it. A relative one is none.
    pub(super) fn new(directory: &str) -> Base {
        Base(Base::default().resolve(directory).unwrap_or_default())
    }

    /// The directory that `path` leads to from here (`cd`); unchanged when that is not known.
    pub(super) fn within(&self, path: &str) -> Base {
        match self.resolve(path) {
            Some(text) if text.len() <= MAX_BASE => Base(text),
            _ => self.clone(),
        }
    }

    /// The directory; empty when not known.
    pub(super) fn directory(&self) -> PathBuf {
        PathBuf::from(&self.0)
    }

    /// `path` as an absolute path; `None` when it is relative and the directory is not known, or empty.
    pub(super) fn absolute(&self, path: &str) -> Option<PathBuf> {
        self.resolve(path).map(PathBuf::from)
    }

    fn resolve(&self, path: &str) -> Option<String> {
        let path = path.trim_matches(['\n', '\r', '\0']);
        if path.is_empty() || path.contains('\0') {
            return None;
        }
        if let Some((root, rest)) = windows_root(path) {
            return Some(joined(&root, "", &slashes(rest)));
        }
        let windows = windows_root(&self.0).or_else(|| unc(self.0.strip_prefix("//")?));
        if let Some((root, rest)) = windows {
            if let Some((root, rest)) = path.strip_prefix("//").and_then(unc) {
                return Some(joined(&root, "", &slashes(rest)));
            }
            let path = slashes(path);
            // `\src` is relative to the drive alone.
            return Some(if path.starts_with('/') { joined(&root, "", &path) } else { joined(&root, rest, &path) });
        }
        if path.starts_with('/') {
            return Some(joined("/", "", path));
        }
        self.0.starts_with('/').then(|| joined("/", &self.0, path))
    }
}

/// `C:/` or `//server/share/` of a Windows path and what follows; a backslash is a separator only behind those.
fn windows_root(path: &str) -> Option<(String, &str)> {
    let plain = path.strip_prefix(r"\\?\").unwrap_or(path);
    if let Some(share) = plain.strip_prefix(r"UNC\").filter(|_| plain.len() < path.len()) {
        return unc(share);
    }
    if let Some(share) = plain.strip_prefix(r"\\") {
        return unc(share);
    }
    let bytes = plain.as_bytes();
    if bytes.len() >= 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/') {
        return Some((format!("{}:/", bytes[0].to_ascii_uppercase() as char), &plain[3..]));
    }
    None
}

/// `server\share...`: the share belongs to the root, no `..` leads out of it.
fn unc(share: &str) -> Option<(String, &str)> {
    let server = share.find(['\\', '/']).filter(|&at| at > 0)?;
    let rest = &share[server + 1..];
    let end = rest.find(['\\', '/']).unwrap_or(rest.len());
    (end > 0)
        .then(|| (format!("//{}/{}/", &share[..server], &rest[..end]), rest[end..].trim_start_matches(['\\', '/'])))
}

fn slashes(path: &str) -> String {
    path.replace('\\', "/")
}

/// `root` and the parts of `base` and `path` behind it, without `.`, `..` and doubled separators.
fn joined(root: &str, base: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::Base;

    fn at(base: &str, path: &str) -> Option<String> {
        Base::new(base).absolute(path).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn relative_and_dotted_paths_become_absolute() {
        let cases = [
            ("/home/dev/p", "src/app.py", "/home/dev/p/src/app.py"),
            ("/home/dev/p/", "./src//app.py", "/home/dev/p/src/app.py"),
            ("/home/dev/p", "../q/./a", "/home/dev/q/a"),
            ("/home/dev/p", "/x/../../y/", "/y"),
            ("/home/dev/p", "a\\b", "/home/dev/p/a\\b"),
            ("/", "a", "/a"),
            ("/p", "//home//dev/a", "/home/dev/a"),
            ("//server/share/p", "a", "/server/share/p/a"),
            ("C:\\p", "//server/share/a", "//server/share/a"),
            ("C:\\Users\\dev\\p", "src\\app.py", "C:/Users/dev/p/src/app.py"),
            ("C:\\Users\\dev\\p", "c:\\Users\\dev\\p\\src\\.\\app.py", "C:/Users/dev/p/src/app.py"),
            ("c:/Users/dev/p", "src/../app.py", "C:/Users/dev/p/app.py"),
            ("c:\\p", "\\x", "C:/x"),
            ("C:\\p", "..\\..\\..\\x", "C:/x"),
            ("C:\\p", "\\\\?\\C:\\p\\a", "C:/p/a"),
            ("\\\\server\\share\\p", "..\\..\\a", "//server/share/a"),
            ("/p", "\\\\?\\UNC\\server\\share\\a", "//server/share/a"),
        ];
        for (base, path, wanted) in cases {
            assert_eq!(at(base, path).as_deref(), Some(wanted), "{base} {path}");
        }
    }

    #[test]
    fn unknown_places_are_none() {
        assert_eq!(at("", "a"), None);
        assert_eq!(at("relative", "a"), None);
        assert_eq!(at("/p", ""), None);
        assert_eq!(at("/p", "a\0b"), None);
        assert_eq!(Base::new("/p").within("sub").directory().to_str(), Some("/p/sub"));
        assert_eq!(Base::new("/p").within("").directory().to_str(), Some("/p"));
    }
}
