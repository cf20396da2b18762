//! How many o200k tokens a text has at most, without a tokenizer (loading one takes longer than the whole map may).
//!
//! The tokenizer first cuts a text into pieces: one character that is no letter, digit or line break may lead a word,
//! a word is capitals and then small letters, digits go by threes. A piece that is in its vocabulary is one token, else
//! pairs are merged, so that at the end no two neighbours are left that could merge. `words.txt` knows words of code
//! that are one token behind which character (two if not); of other words it is only assumed that pairs of small
//! letters merge, apart from those that do not.
//!
//! `words.txt`: lower-cased word, then bits in hexadecimal: bit 2p + c is set when the word in small letters (c = 0) or
//! with a capital (c = 1) is one token behind `PREFIXES[p]`; 2 tokens are enough
//! where it is not set, 3 with bit 12.

use std::collections::HashMap;
use std::sync::LazyLock;

static WORDS: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    include_str!("words.txt")
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(word, bits)| Some((word, u16::from_str_radix(bits, 16).ok()?)))
        .collect()
});

/// What may stand before a word: nothing, or one of these.
const PREFIXES: [&str; 6] = ["", " ", "/", ".", "_", "-"];

/// Pairs of small letters that are no token.
const NO_PAIR: &[&[u8; 2]] = &[
    b"bq", b"gk", b"gq", b"jv", b"jz", b"kq", b"kz", b"lq", b"nq", b"qf", b"qg", b"qj", b"qk", b"qv", b"qz", b"rj",
    b"tq", b"wq", b"wz", b"xg", b"xj", b"xk", b"xq", b"xv", b"xw", b"yq", b"zj", b"zq", b"zv",
];

/// At least as many tokens as o200k makes of `text`.
pub fn upper_bound(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut total = 0;
    while at < bytes.len() {
        let b = bytes[at];
        if b.is_ascii_digit() {
            let end = run(bytes, at, |b| b.is_ascii_digit());
            total += (end - at).div_ceil(3);
            at = end;
        } else if b.is_ascii_alphabetic() {
            at = word(bytes, "", at, &mut total);
        } else if !b.is_ascii() {
            // At worst each byte is a token.
            total += 1;
            at += 1;
        } else if b != b'\n' && b != b'\r' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) {
            let prefix = text.get(at..at + 1).unwrap_or("");
            at = word(bytes, prefix, at + 1, &mut total);
        } else {
            total += 1;
            at += 1;
        }
    }
    total
}

/// At most as many tokens as o200k makes of `text`: the pieces into which it is cut before anything is merged.
pub fn lower_bound(text: &str) -> usize {
    let bytes = text.as_bytes();
    let letter = |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphabetic() || !b.is_ascii());
    let mut at = 0;
    let mut pieces = 0;
    while at < bytes.len() {
        let b = bytes[at];
        pieces += 1;
        at = if letter(at) || (letter(at + 1) && !b.is_ascii_digit() && b != b'\n' && b != b'\r') {
            // A word with what may lead it. Beyond ASCII it is not told where one ends.
            let start = at + usize::from(!letter(at));
            let small = run(bytes, start, |b| b.is_ascii_uppercase() || !b.is_ascii());
            let end = run(bytes, small, |b| b.is_ascii_lowercase() || !b.is_ascii()).max(start + 1);
            end + contraction(&bytes[end..])
        } else if b.is_ascii_digit() {
            run(bytes, at, |b| b.is_ascii_digit()).min(at + 3)
        } else if b.is_ascii_whitespace() && !(b == b' ' && bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation)) {
            let end = run(bytes, at, |b| b.is_ascii_whitespace());
            // The last blank may lead what follows.
            if end - at > 1 && end < bytes.len() && matches!(bytes[end - 1], b' ' | b'\t') { end - 1 } else { end }
        } else {
            // A blank may lead them.
            let start = at + usize::from(b == b' ');
            let end = run(bytes, start, |b| b.is_ascii_punctuation() || b.is_ascii_control());
            run(bytes, end.max(at + 1), |b| matches!(b, b'\n' | b'\r' | b'/'))
        };
    }
    pieces
}

/// Bytes of what o200k keeps with the word before it: `'s`, `'LL`, ...
fn contraction(bytes: &[u8]) -> usize {
    let small: Vec<u8> = bytes.iter().take(3).map(u8::to_ascii_lowercase).collect();
    match small[..] {
        [b'\'', b'r', b'e'] | [b'\'', b'v', b'e'] | [b'\'', b'l', b'l'] => 3,
        [b'\'', b's' | b't' | b'm' | b'd', ..] => 2,
        _ => 0,
    }
}

fn run(bytes: &[u8], from: usize, accept: impl Fn(u8) -> bool) -> usize {
    from + bytes[from..].iter().take_while(|&&b| accept(b)).count()
}

/// Adds the tokens of the word at `start` with what stands before it; returns its end.
fn word(bytes: &[u8], prefix: &str, start: usize, total: &mut usize) -> usize {
    let small = run(bytes, start, |b| b.is_ascii_uppercase());
    let end = run(bytes, small, |b| b.is_ascii_lowercase());
    let piece = &bytes[start..end];
    // A piece goes on where letters beyond ASCII, or an apostrophe, follow: then nothing is known of it.
    let alone = bytes.get(end).is_none_or(|b| b.is_ascii() && *b != b'\'');
    let before_ascii = start == 0 || bytes[start - 1].is_ascii();
    let capitals = small - start;
    let known = if alone && before_ascii && capitals <= 1 {
        let lower = piece.to_ascii_lowercase();
        std::str::from_utf8(&lower).ok().and_then(|w| WORDS.get(w).copied())
    } else {
        None
    };
    let place = PREFIXES.iter().position(|p| *p == prefix);
    *total += match (known, place) {
        (Some(bits), Some(place)) => {
            if bits & (1 << (2 * place + capitals)) != 0 {
                1
            } else {
                2 + usize::from(bits >> 12)
            }
        }
        (Some(bits), None) => 3 + usize::from(bits >> 12),
        (None, _) => prefix.len() + worst(piece),
    };
    end
}

/// The most pieces in which merging pairs can leave a word: single letters stand side by side only where their pair
/// is no token.
fn worst(word: &[u8]) -> usize {
    // Most pieces so far, by whether the last one is a single letter.
    let (mut single, mut double) = (0usize, 0usize);
    let mut before: Option<(usize, usize)> = None;
    for (i, &b) in word.iter().enumerate() {
        let next = if i == 0 {
            (1, 0)
        } else {
            let after_single = if merges(word[i - 1], b) { 0 } else { single + 1 };
            let ending_here = after_single.max(if double > 0 { double + 1 } else { 0 });
            let (s, d) = before.unwrap_or((0, 0));
            (ending_here, s.max(d) + 1)
        };
        before = Some((single, double));
        (single, double) = next;
    }
    single.max(double)
}

fn merges(a: u8, b: u8) -> bool {
    a.is_ascii_lowercase() && b.is_ascii_lowercase() && !NO_PAIR.contains(&&[a, b])
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiktoken_rs::CoreBPE;

    fn real() -> CoreBPE {
        tiktoken_rs::o200k_base().unwrap()
    }

    /// A small deterministic generator: the tests must fail the same way each time.
    struct Rng(u64);

    impl Rng {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn below(&mut self, n: usize) -> usize {
            (self.next() % n as u64) as usize
        }
    }

    #[test]
    fn the_lower_bound_is_never_above_the_tokenizer() {
        let bpe = real();
        let sources = [
            include_str!("tokens.rs"),
            include_str!("words.txt"),
            "def f(x):\n    return x['a'] + 1_000_000\n\n\nclass HTTPServer2:\n\tdef aé(self): ...\n",
            "a'sb don't WE'LL ((x))  //y\r\n  \n  文件名 é  . . /a",
            "don't",
            " don't",
            "WE'LL",
            "it's",
            "they're",
        ];
        for line in sources.iter().flat_map(|source| source.lines()).chain(sources) {
            let (least, real) = (lower_bound(line), bpe.encode_ordinary(line).len());
            assert!(least <= real, "{least} > {real}: {line:?}");
        }
        let code = include_str!("tokens.rs");
        assert!(lower_bound(code) * 10 > bpe.encode_ordinary(code).len() * 7, "it still says something");
    }

    #[test]
    fn never_below_the_tokenizer_on_hostile_text() {
        let bpe = real();
        let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
        let alphabets = [
            "abcdefghijklmnopqrstuvwxyz",
            "qzxjkvwgbzq",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "aAbBqQzZ_xX9",
            "0123456789",
            "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
            "äöüßéèñçøåšžčř",
            "абвгдежзийклмнопрстуфхцч",
            "文件名错误检查函数方法类型测试",
            "😀🧭🛠️👩‍💻",
            "a'sb'tc're d've",
            " _-/.a",
            "aé'b文",
        ];
        let words: Vec<&str> = WORDS.keys().copied().collect();
        let mut words = words;
        words.sort_unstable();
        for round in 0..30_000 {
            let mut text = String::new();
            for _ in 0..1 + rng.below(4) {
                let set: Vec<char> = alphabets[rng.below(alphabets.len())].chars().collect();
                for _ in 0..rng.below(24) {
                    text.push(set[rng.below(set.len())]);
                }
                if rng.below(2) == 0 {
                    text.push_str(words[rng.below(words.len())]);
                }
                text.push(['/', '.', '_', '-', ' ', ':', 'X'][rng.below(7)]);
            }
            let (bound, count) = (upper_bound(&text), bpe.encode_ordinary(&text).len());
            assert!(bound >= count, "round {round}: {text:?} has {count} tokens, bound {bound}");
        }
    }

    #[test]
    fn every_known_word_in_every_place() {
        let bpe = real();
        for word in WORDS.keys() {
            let capital = format!("{}{}", word[..1].to_ascii_uppercase(), &word[1..]);
            for form in [*word, &capital] {
                for prefix in PREFIXES.iter().copied().chain([":", "#", "(", "@"]) {
                    let text = format!("{prefix}{form}");
                    let count = bpe.encode_ordinary(&text).len();
                    assert!(upper_bound(&text) >= count, "{text:?}: {count}");
                }
            }
        }
    }

    #[test]
    fn close_on_usual_lines() {
        let bpe = real();
        for line in [
            "- src/click/types.py:406-424 Choice.normalize_choice\n",
            "- core/mapping/unmarshaler.go:246-291 Unmarshaler.processFieldPrimitiveWithJSONNumber\n",
            "- src/plugin/timezone/index.js:12-60 getDateTimeFormat\n",
            "Tests: tests/test_types/test_Choice.py\n",
        ] {
            let (bound, count) = (upper_bound(line), bpe.encode_ordinary(line).len());
            assert!(bound >= count && bound * 5 <= count * 9, "{line:?}: {count} tokens, bound {bound}");
        }
    }
}
