//! Go: what extraction says of a source that uses most of the language.

use crate::library::facts_text::*;

const SOURCE: &str = r##"// Package shop sells.
package shop

import (
	"fmt"
	log "github.com/x/zap"
	. "strings"
	_ "embed"
	"testing"
)

// Max is a limit.
const Max = 10

const (
	A = iota
	B
)

var ErrX = errors.New("x")
var handler = func(w http.ResponseWriter) { serve(w) }
var cmd = &cobra.Command{Run: func(c *cobra.Command) { runIt(c) }}

// Store keeps things.
//go:generate foo
type Store[T any] struct {
	*Base
	sync.Mutex
	name, title string
	items map[string]*Item // trailing
	next *Store[T]
}

type (
	// Getter gets.
	Getter interface {
		io.Reader
		// Get one.
		Get(ctx context.Context, id string) (*Item, error)
	}
	ID = string
	Num interface{ ~int | ~float64 }
	Handler func(x int) *Item
)

// Get gets.
func (s *Store[T]) Get(ctx context.Context, id string) (it *Item, err error) {
	s.Lock()
	defer s.Unlock()
	x, err := s.find(id)
	if y, ok := x.(*Item); ok {
		return y, nil
	}
	for k, v := range s.items {
		fmt.Println(k, v.Name, Max)
	}
	switch t := any(x).(type) {
	case *Item:
		t.Use()
	case string, int:
	}
	s.name = "q"
	go func(n int) { s.work(n) }(1)
	p := &Item{ID: id, Sub: Sub{1}}
	q := new(Item)
	m := make(map[string]Item)
	z := Map[int, string](xs, conv)
	w := Single[int](3)
	pkg.Gen[int](3)
	s.next.next.find("a").Chain().End()
	var local, other Item
	return p, nil
}

func Variadic(xs ...*Item) {}
func TestIt(t *testing.T) { t.Run("a", func(t *testing.T) { check(t) }) }
func main() { (*T)(nil).X(); []byte("x"); http.HandleFunc("/", handler) }
"##;

#[test]
fn imports_of_a_file() {
    let facts = facts_of("go", SOURCE);
    assert_eq!(
        imports(&facts),
        ["5 fmt module", "6 github.com/x/zap module as log", "7 strings star", "8 embed effect", "9 testing module",]
    );
}

#[test]
fn symbols_of_a_file() {
    let facts = facts_of("go", SOURCE);
    assert_eq!(
        symbols(&facts),
        [
            "13-13 constant Max exported",
            "16-16 constant A exported",
            "17-17 constant B exported",
            "20-20 variable ErrX exported",
            "21-21 function handler(w: http.ResponseWriter) entry",
            "22-22 variable cmd",
            "26-32 struct Store[T: any] <Base <sync.Mutex exported",
            "36-40 interface Getter <io.Reader exported",
            "39-39 method Getter.Get(ctx: context.Context, id: Str) -> Item exported abstract",
            "41-41 type_alias ID is Str exported",
            "42-42 interface Num exported",
            "43-43 type_alias Handler is Function<Item> exported",
            "47-73 method Store.Get(s: Store<T>, ctx: context.Context, id: Str)[T] -> Item owner=Store exported",
            "75-75 function Variadic(*xs: List<Item>) exported",
            "76-76 function TestIt(t: testing.T) exported test",
            "77-77 function main()",
        ]
    );
}

#[test]
fn calls_of_a_file() {
    let facts = facts_of("go", SOURCE);
    assert_eq!(
        calls(&facts),
        [
            "<module> 20: errors.New/1",
            "handler 21: serve/1",
            "cmd 22: new cobra.Command/0",
            "cmd 22: runIt/1",
            "Store.Get 48: self!.Lock/0",
            "Store.Get 49: self!.Unlock/0",
            "Store.Get 50: self!.find/1",
            "Store.Get 55: fmt.Println/3",
            "Store.Get 57: any/1",
            "Store.Get 59: t.Use/0",
            "Store.Get 63: self!.work/1",
            "Store.Get 64: new Item/0",
            "Store.Get 64: new Sub/0",
            "Store.Get 65: new Item/0",
            "Store.Get 66: make/1",
            "Store.Get 67: Map/2",
            "Store.Get 68: Single/1",
            "Store.Get 69: pkg.Gen/1",
            "Store.Get 70: self!.next.next.find(Str).Chain().End/0",
            "Store.Get 70: self!.next.next.find(Str).Chain/0",
            "Store.Get 70: self!.next.next.find/1",
            "TestIt 76: t.Run/2",
            "TestIt 76: check/1",
            "main 77: T(None).X/0",
            "main 77: T/1",
            "main 77: http.HandleFunc/2",
        ]
    );
}

#[test]
fn binds_of_a_file() {
    let facts = facts_of("go", SOURCE);
    assert_eq!(
        binds(&facts),
        [
            "<module> 13-77 Assign Max = Number",
            "<module> 16-77 Assign A = Number",
            "<module> 17-77 Assign B = ?",
            "<module> 20-77 Assign ErrX = errors.New(Str)",
            "<module> 21-77 Assign handler = Function",
            "<module> 22-77 Assign cmd = new cobra.Command",
            "cmd 22-22 Assign c = ? : cobra.Command",
            "Store.Get 47-73 Assign it = ? : Item",
            "Store.Get 47-73 Assign err = ? : error",
            "Store.Get 50-73 Assign x = self!.find(id)",
            "Store.Get 50-73 Assign err = ?",
            "Store.Get 51-53 Assign y = new Item",
            "Store.Get 51-53 Assign ok = ?",
            "Store.Get 54-56 For k = ?",
            "Store.Get 54-56 For v = each self!.items",
            "Store.Get 57-61 Assign t = any(x)",
            "Store.Get 58-59 Narrow t = ? : Item",
            "Store.Get 63-63 Assign n = ? : Number",
            "Store.Get 64-73 Assign p = new Item",
            "Store.Get 65-73 Assign q = new Item",
            "Store.Get 66-73 Assign m = new Map<Str, Item>",
            "Store.Get 67-73 Assign z = Map(xs, conv)",
            "Store.Get 68-73 Assign w = Single(Number)",
            "Store.Get 71-73 Assign local = ? : Item",
            "Store.Get 71-73 Assign other = ? : Item",
            "TestIt 76-76 Assign t = ? : testing.T",
        ]
    );
}

#[test]
fn attrs_of_a_file() {
    let facts = facts_of("go", SOURCE);
    assert_eq!(
        attrs(&facts),
        [
            "27 Store.Base : Base",
            "28 Store.Mutex : sync.Mutex",
            "29 Store.name : Str",
            "29 Store.title : Str",
            "30 Store.items : Map<Str, Item>",
            "31 Store.next : Store<T>",
        ]
    );
}

#[test]
fn refs_of_a_file() {
    let facts = facts_of("go", SOURCE);
    assert_eq!(
        refs(&facts),
        [
            "<module> 20 Read errors",
            "handler 21 Type http.ResponseWriter",
            "cmd 22 Write new cobra.Command.Run",
            "cmd 22 Type cobra.Command",
            "Store 27 Type Base",
            "Store 28 Type sync.Mutex",
            "Store 30 Type Item",
            "Store 31 Type Store",
            "Getter 37 Type io.Reader",
            "Getter.Get 39 Type context.Context",
            "Getter.Get 39 Type Item",
            "Handler 43 Type Item",
            "Store.Get 47 Type context.Context",
            "Store.Get 47 Type Item",
            "Store.Get 51 Type Item",
            "Store.Get 54 Read self!.items",
            "Store.Get 55 Value v.Name",
            "Store.Get 55 Value Max",
            "Store.Get 58 Type Item",
            "Store.Get 62 Write self!.name",
            "Store.Get 64 Write new Item.ID",
            "Store.Get 64 Write new Item.Sub",
            "Store.Get 66 Type Item",
            "Store.Get 67 Value xs",
            "Store.Get 67 Value conv",
            "Store.Get 70 Read self!.next.next",
            "Store.Get 70 Read self!.next",
            "Store.Get 71 Type Item",
            "Variadic 75 Type Item",
            "TestIt 76 Type testing.T",
            "TestIt 76 Type testing.T",
            "main 77 Read http",
            "main 77 Value handler",
        ]
    );
}

#[test]
fn chains_of_thousands_do_not_exhaust_the_stack() {
    let source = "package p\nfunc f() { ".to_owned()
        + "a".to_owned().as_str()
        + &".x()".repeat(5000)
        + "\nvar s = 1"
        + &" + 1".repeat(5000)
        + " }\n";
    let facts = facts_of("go", &source);
    assert!(facts.calls.len() >= 5000, "each call of the chain is a call: {}", facts.calls.len());
    assert!(facts.exprs.len() < 100_000, "the chain is not lowered once for each of its parts: {}", facts.exprs.len());
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let facts = facts_of(
        "go",
        &("package p\nfunc f() { _ = ".to_owned() + &"(".repeat(3000) + "1" + &")".repeat(3000) + " }\n"),
    );
    assert!(facts.symbols.len() >= 2);
}

#[test]
fn broken_and_empty_files_give_what_can_be_read() {
    let facts = facts_of("go", "package p\nfunc f( { x := ; type T struct { a b c d\nfunc (t *T) m() {");
    assert!(facts.syntax_errors > 0);
    assert!(facts.symbols.len() > 1);
    let empty = facts_of("go", "");
    assert_eq!((empty.symbols.len(), empty.lines, empty.syntax_errors), (1, 0, 0));
}

#[test]
fn the_same_source_gives_the_same_facts() {
    assert_eq!(facts_of("go", SOURCE), facts_of("go", SOURCE));
}
