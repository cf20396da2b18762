//! Java: what extraction says of a source that uses most of the language.

use crate::library::facts_text::*;

const SOURCE: &str = r##"/* license */
package com.shop.core;

import java.util.List;
import java.util.*;
import static org.junit.Assert.assertEquals;
import static com.shop.Util.*;

/**
 * A store.
 * @since 1
 */
@Service("x")
public abstract class Store<T extends Item & Foo> extends Base<T> implements Getter, java.io.Closeable {
    /** Limit. */
    public static final int LIMIT = 3;
    private final Map<String, List<Item>> items = new HashMap<>();
    Item a, b[] = null;
    static { init(); }

    @Inject
    public Store(String name) { super(name); this.name = name; items = make(); }
    Store() { this("x"); }

    /** Gets. */
    @Override
    @Deprecated
    public <R> Item get(String id, int... more) throws Exception {
        var x = find(id);
        Item y = (Item) x.other().more().end();
        for (Item i : items.values()) { i.run(LIMIT); }
        if (x instanceof Item it && it.ok()) { it.use(); }
        try (Reader r = open(id); Reader q = new Reader()) { r.read(); } catch (IOException | Error e) { e.fillInStackTrace(); }
        list.stream().map(Item::name).filter(z -> z.good()).forEach(this::use);
        supplier(Item::new);
        Runnable run = new Runnable() { int n = 1; @Override public void run() { helper(n); super.toString(); } };
        new Item(1) {{ add(2); }};
        Outer.this.go();
        super.get(id);
        Collections.<Item>emptyList();
        switch (x) { case Foo f -> f.go(); case Point(int px, Bar py) -> py.go(); default -> {} }
        class Local { void m() { get("a"); } }
        String s = "a" + id + 1 + x;
        Class<?> c = Item.class;
        this.count++;
        total += y.size;
        return y;
    }
    public int get() { return 1; }
    abstract void todo();
    public static void main(String[] args) {}
    @GetMapping("/x") void route() {}
    @Test void testIt() {}

    enum Color implements Named { RED(1), GREEN { void f() { g(); } }; Color(int x) {} void f() {} }
    record Point(int x, Item y) { Point { check(x); } }
    interface Getter { String K = "k"; Item get(); default void d() { get(); } }
    @interface Mark { String value() default ""; }
}
"##;

#[test]
fn imports_of_a_file() {
    let facts = facts_of("java", SOURCE);
    assert_eq!(
        imports(&facts),
        ["4 java.util item List", "5 java.util star", "6 org.junit.Assert item assertEquals", "7 com.shop.Util star",]
    );
}

#[test]
fn symbols_of_a_file() {
    let facts = facts_of("java", SOURCE);
    assert_eq!(
        symbols(&facts),
        [
            "13-59 class Store[T: Item] <Base<T> <Getter <java.io.Closeable @Service() exported abstract",
            "16-16 constant Store.LIMIT is Int exported static",
            "21-22 method Store.Store(name: Str) @Inject exported constructor",
            "23-23 method Store.Store#2() constructor",
            "26-48 method Store.get(id: Str, *more: List<Int>)[R] -> Item @Override @Deprecated exported",
            "36-36 class Store.get.Runnable$1 <Runnable",
            "36-36 method Store.get.Runnable$1.run() -> None @Override exported",
            "37-37 class Store.get.Item$1 <Item",
            "42-42 class Store.get.Local",
            "42-42 method Store.get.Local.m() -> None",
            "49-49 method Store.get#2() -> Int exported",
            "50-50 method Store.todo() -> None abstract",
            "51-51 method Store.main(args: List<Str>) -> None exported static entry",
            "52-52 method Store.route() -> None @GetMapping() entry",
            "53-53 method Store.testIt() -> None @Test test",
            "55-55 enum Store.Color <Named",
            "55-55 enum_member Store.Color.RED static",
            "55-55 enum_member Store.Color.GREEN <Color static",
            "55-55 method Store.Color.GREEN.f() -> None",
            "55-55 method Store.Color.Color(x: Int) constructor",
            "55-55 method Store.Color.f() -> None",
            "56-56 class Store.Point(x: Int, y: Item)",
            "56-56 method Store.Point.Point(x: Int, y: Item) constructor",
            "57-57 interface Store.Getter abstract",
            "57-57 constant Store.Getter.K is Str exported static",
            "57-57 method Store.Getter.get() -> Item exported abstract",
            "57-57 method Store.Getter.d() -> None exported",
            "58-58 interface Store.Mark abstract",
            "58-58 method Store.Mark.value() -> Str exported abstract",
        ]
    );
}

#[test]
fn calls_of_a_file() {
    let facts = facts_of("java", SOURCE);
    assert_eq!(
        calls(&facts),
        [
            "Store 17: new HashMap/0",
            "Store 19: init/0",
            "Store.Store 22: new super!/1",
            "Store.Store 22: make/0",
            "Store.Store#2 23: new Self!/1",
            "Store.get 29: find/1",
            "Store.get 30: x.other().more().end/0",
            "Store.get 30: x.other().more/0",
            "Store.get 30: x.other/0",
            "Store.get 31: items.values/0",
            "Store.get 31: i.run/1",
            "Store.get 32: it.ok/0",
            "Store.get 32: it.use/0",
            "Store.get 33: open/1",
            "Store.get 33: new Reader/0",
            "Store.get 33: r.read/0",
            "Store.get 33: e.fillInStackTrace/0",
            "Store.get 34: list.stream().map(Item.name).filter(Function).forEach/1",
            "Store.get 34: list.stream().map(Item.name).filter/1",
            "Store.get 34: list.stream().map/1",
            "Store.get 34: list.stream/0",
            "Store.get 34: z.good/0",
            "Store.get 35: supplier/1",
            "Store.get 36: new Runnable/0",
            "Store.get.Runnable$1.run 36: helper/1",
            "Store.get.Runnable$1.run 36: super!.toString/0",
            "Store.get 37: new Item/1",
            "Store.get.Item$1 37: add/1",
            "Store.get 38: new Outer.go/0",
            "Store.get 39: super!.get/1",
            "Store.get 40: Collections.emptyList/0",
            "Store.get 41: f.go/0",
            "Store.get 41: py.go/0",
            "Store.get.Local.m 42: get/1",
            "Store.Color 55: new Color/1",
            "Store.Color.GREEN.f 55: g/0",
            "Store.Point.Point 56: check/1",
            "Store.Getter.d 57: get/0",
        ]
    );
}

#[test]
fn binds_of_a_file() {
    let facts = facts_of("java", SOURCE);
    assert_eq!(
        binds(&facts),
        [
            "Store.get 29-48 Assign x = find(id)",
            "Store.get 30-48 Assign y = new Item : Item",
            "Store.get 31-31 For i = each items.values() : Item",
            "Store.get 32-32 Narrow x = ? : Item",
            "Store.get 32-48 Narrow it = ? : Item",
            "Store.get 33-33 Assign r = open(id) : Reader",
            "Store.get 33-33 Assign q = new Reader : Reader",
            "Store.get 33-33 Except e = ? : IOException | Error",
            "Store.get 34-34 Assign z = ?",
            "Store.get 36-48 Assign run = new Runnable : Runnable",
            "Store.get 41-41 Narrow f = ? : Foo",
            "Store.get 41-41 Narrow px = ? : Int",
            "Store.get 41-41 Narrow py = ? : Bar",
            "Store.get 43-48 Assign s = Str : Str",
            "Store.get 44-48 Assign c = typeof Item : Class<?>",
        ]
    );
}

#[test]
fn attrs_of_a_file() {
    let facts = facts_of("java", SOURCE);
    assert_eq!(
        attrs(&facts),
        [
            "16 Store.LIMIT = Int : Int",
            "17 Store.items = new HashMap : Map<Str, List<Item>>",
            "18 Store.a : Item",
            "18 Store.b = None : List<Item>",
            "22 Store.name = name in Store.Store",
            "22 Store.items = make() in Store.Store",
            "36 Store.get.Runnable$1.n = Int : Int",
            "56 Store.Point.x : Int",
            "56 Store.Point.y : Item",
            "57 Store.Getter.K = Str : Str",
        ]
    );
}

#[test]
fn refs_of_a_file() {
    let facts = facts_of("java", SOURCE);
    assert_eq!(
        refs(&facts),
        [
            "Store 13 Type Service",
            "Store 14 Type Item",
            "Store 14 Type Foo",
            "Store 14 Type Base",
            "Store 14 Type Getter",
            "Store 14 Type java.io.Closeable",
            "Store 17 Type Map",
            "Store 17 Type List",
            "Store 17 Type Item",
            "Store 18 Type Item",
            "Store.Store 21 Type Inject",
            "Store.Store 22 Write self!.name",
            "Store.Store 22 Write items",
            "Store.get 28 Type Item",
            "Store.get 30 Type Item",
            "Store.get 30 Type Item",
            "Store.get 31 Type Item",
            "Store.get 31 Read items",
            "Store.get 31 Value LIMIT",
            "Store.get 32 Type Item",
            "Store.get 33 Type Reader",
            "Store.get 33 Type Reader",
            "Store.get 33 Type IOException",
            "Store.get 34 Read list",
            "Store.get 34 Value Item.name",
            "Store.get 34 Read Item",
            "Store.get 34 Value self!.use",
            "Store.get 35 Value Item",
            "Store.get.Runnable$1.run 36 Value n",
            "Store.get 38 Read Outer",
            "Store.get 40 Read Collections",
            "Store.get 40 Type Item",
            "Store.get 41 Type Foo",
            "Store.get 41 Read Point",
            "Store.get 41 Type Bar",
            "Store.get 44 Type Item",
            "Store.get 45 Write self!.count",
            "Store.get 46 Write total",
            "Store.get 46 Value y.size",
            "Store.route 52 Type GetMapping",
            "Store.testIt 53 Type Test",
            "Store.Color 55 Type Named",
            "Store.Point 56 Type Item",
            "Store.Getter.get 57 Type Item",
        ]
    );
}

#[test]
fn chains_of_thousands_do_not_exhaust_the_stack() {
    let source =
        "class A { void f() { a".to_owned() + &".x()".repeat(5000) + "; int s = 1" + &" + 1".repeat(5000) + "; } }\n";
    let facts = facts_of("java", &source);
    assert!(facts.calls.len() >= 5000, "each call of the chain is a call: {}", facts.calls.len());
    assert!(facts.exprs.len() < 100_000, "the chain is not lowered once for each of its parts: {}", facts.exprs.len());
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let facts =
        facts_of("java", &("class A { int x = ".to_owned() + &"(".repeat(3000) + "1" + &")".repeat(3000) + "; }\n"));
    assert!(facts.symbols.len() >= 2);
}

#[test]
fn broken_and_empty_files_give_what_can_be_read() {
    let facts = facts_of("java", "class A { void f( { int x = ; @Test public class B extends { } new C( {");
    assert!(facts.syntax_errors > 0);
    assert!(facts.symbols.len() > 1);
    let empty = facts_of("java", "");
    assert_eq!((empty.symbols.len(), empty.lines, empty.syntax_errors), (1, 0, 0));
}

#[test]
fn the_same_source_gives_the_same_facts() {
    assert_eq!(facts_of("java", SOURCE), facts_of("java", SOURCE));
}
