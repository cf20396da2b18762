use super::*;
use crate::facts::{Facts, Name, SymbolFact, SymbolFlags, SymbolIdx, SymbolKind};
use crate::terms::{Field, TermsBuilder, plain_terms};

pub(crate) fn facts(symbols: &[(&str, SymbolKind, u32, u32, Option<u32>)]) -> Facts {
    let mut facts = Facts::default();
    let mut seen: Vec<&str> = Vec::new();
    for &(qualname, kind, start_line, end_line, parent) in symbols {
        let own = qualname.rsplit('.').next().unwrap();
        facts.names.push(own.into());
        facts.names.push(qualname.into());
        let at = facts.names.len() as u32;
        let ordinal = 1 + seen.iter().filter(|s| **s == qualname).count() as u32;
        seen.push(qualname);
        facts.symbols.push(SymbolFact {
            name: Name(at - 2),
            qualname: Name(at - 1),
            ordinal,
            parent: parent.map(SymbolIdx),
            owner: None,
            kind,
            start_line,
            end_line,
            signature: "".into(),
            doc: "".into(),
            flags: SymbolFlags { exported: true, ..SymbolFlags::default() },
            bases: vec![],
            decorators: vec![],
            params: vec![],
            type_params: vec![],
            returns: None,
            values: vec![],
            ty: None,
        });
    }
    facts
}

fn add(builder: &mut TermsBuilder, symbol: u32, field: Field, text: &str) {
    builder.add(SymbolIdx(symbol), field, text);
}

fn sample() -> Vec<u8> {
    let a = facts(&[
        ("<module>", SymbolKind::Module, 1, 90, None),
        ("Choice", SymbolKind::Class, 3, 60, Some(0)),
        ("Choice.convert", SymbolKind::Method, 10, 20, Some(1)),
        ("Choice.convert", SymbolKind::Method, 22, 30, Some(1)),
    ]);
    let mut terms = TermsBuilder::default();
    add(&mut terms, 0, Field::Doc, "choice");
    add(&mut terms, 2, Field::Name, "Choice convert");
    add(&mut terms, 2, Field::Literal, &"choice ".repeat(300));
    add(&mut terms, 2, Field::Ident, "choice choice");
    add(&mut terms, 3, Field::Name, "convert");
    let a_terms = terms.finish(&a);
    let b_terms = plain_terms(&format!("choice\n{}other", "\n".repeat(40)));
    let files = [
        FileDoc {
            path: "src/click/parser_types.py",
            language: "python",
            is_test: false,
            generated: false,
            facts: Some(&a),
            terms: a_terms.reader(),
        },
        FileDoc {
            path: "docs/Choice.md",
            language: "",
            is_test: true,
            generated: true,
            facts: None,
            terms: b_terms.reader(),
        },
    ];
    let commits = [
        CommitDoc { at: 5, short_hash: 7, subject: "Fix Choice.convert", body: "for bytes", files: &[1, 0, 1, 9] },
        CommitDoc { at: 6, short_hash: 8, subject: "Fix nothing here", body: "", files: &[] },
    ];
    to_bytes(42, &files, &commits).unwrap()
}

#[test]
fn what_goes_in_comes_out() {
    let index = Index::from_bytes(sample()).unwrap();
    assert_eq!((index.generation(), index.file_count(), index.unit_count(), index.commit_count()), (42, 2, 6, 2));
    let choice = index.lookup("choic").unwrap();
    let units: Vec<_> = choice.units().collect();
    assert_eq!(units.iter().map(|p| p.unit).collect::<Vec<_>>(), [0, 2, 4]);
    assert_eq!(units[1].counts, [1, 0, 255, 0, 2]);
    assert_eq!(units[2].counts, [0, 0, 0, 0, 1]);
    assert_eq!((choice.unit_count, choice.file_count), (3, 2));
    assert_eq!(choice.paths, [PathPosting { file: 1, in_name: true }]);
    assert_eq!(choice.commits, [0]);
    let click = index.lookup("click").unwrap();
    assert_eq!(click.paths, [PathPosting { file: 0, in_name: false }]);
    assert_eq!(index.lookup("typ").unwrap().paths, [PathPosting { file: 0, in_name: true }]);
    // The extension is no word of a path.
    assert!(index.lookup("md").is_none());
    assert!(index.lookup("nothing").is_none(), "a commit that touches no file of today is no document");
    assert!(index.lookup("choice").is_none() && index.lookup("zzz").is_none() && index.lookup("").is_none());
    assert_eq!(index.commit(0).unwrap().files, [0, 1]);
    assert_eq!(index.commit(1).unwrap().files, [] as [u32; 0]);
    assert!(index.commit(2).is_none());
    let second = index.unit(3).unwrap();
    assert_eq!((second.qualname, second.start_line, second.parent), ("Choice.convert#2", 22, Some(1)));
    assert_eq!(second.kind, Some(SymbolKind::Method));
    assert_eq!(index.unit(5).unwrap().kind, None);
    assert_eq!((index.unit(5).unwrap().start_line > 30, index.unit(5).unwrap().file), (true, 1));
    assert_eq!(index.units_of(1), 4..6);
    assert_eq!(index.file(1).unwrap().lengths, [0, 0, 0, 0, 2]);
    assert!(index.file(1).unwrap().is_test && index.file(1).unwrap().generated && !index.file(0).unwrap().is_test);
}

#[test]
fn names_and_lines_lead_to_units() {
    let index = Index::from_bytes(sample()).unwrap();
    let named: Vec<u32> = index.symbols_named("CONVERT").map(|(no, _)| no).collect();
    assert_eq!(named, [2, 3]);
    assert_eq!(index.files_named("choice.md").map(|(no, _)| no).collect::<Vec<_>>(), [1]);
    assert_eq!(index.symbols_named("conver").count(), 0);
    assert_eq!(index.unit_at(0, 15), Some(2));
    assert_eq!(index.unit_at(0, 21), Some(1));
    assert_eq!(index.unit_at(0, 2), Some(0));
    assert_eq!(index.unit_at(1, 40), Some(5));
    assert_eq!(index.unit_at(0, 1000), None);
}

#[test]
fn same_input_same_bytes() {
    assert_eq!(sample(), sample());
}

#[test]
fn damage_is_an_error_or_fewer_results_never_a_panic() {
    let whole = sample();
    for cut in 0..whole.len() {
        assert!(
            matches!(Index::from_bytes(whole[..cut].to_vec()), Err(SearchError::Unusable { .. })),
            "an index cut to {cut} bytes was taken"
        );
    }
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        let Ok(index) = Index::from_bytes(bytes) else { continue };
        assert!(at >= format::HEADER, "a damaged header was taken at {at}");
        for word in ["choic", "convert", "other", "click"] {
            if let Some(postings) = index.lookup(word) {
                let _ = postings.units().count();
            }
        }
        for no in 0..index.unit_count() {
            let _ = index.unit(no);
        }
        for no in 0..index.file_count() {
            let _ = (index.file(no), index.units_of(no), index.unit_at(no, 12));
        }
        let _ = (index.commit(0), index.symbols_named("convert").count(), index.files_named("choice.md").count());
    }
}

#[test]
fn on_disk_it_is_written_whole_and_missing_is_told_from_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("search");
    assert!(matches!(Index::open(&path), Err(SearchError::Missing { .. })));
    std::fs::write(&path, b"not it").unwrap();
    let error = Index::open(&path).err().unwrap();
    assert!(matches!(error, SearchError::Unusable { .. }));
    assert!(error.to_string().contains("portolan index"));
    build(&path, 9, &[], &[]).unwrap();
    let index = Index::open(&path).unwrap();
    assert_eq!((index.generation(), index.file_count(), index.unit_count()), (9, 0, 0));
    assert!(index.lookup("x").is_none());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file was left behind");
    let nowhere = folder.path().join("no/such/search");
    assert!(matches!(build(&nowhere, 9, &[], &[]), Err(SearchError::Io { .. })));
}
