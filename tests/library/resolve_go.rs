//! Go: a small project with all its edges.

use super::resolve_project::assert_edges;

#[test]
fn packages_receivers_embedding_and_interfaces() {
    assert_edges(
        "
--- go.mod
module example.com/shop
--- store/store.go
package store
type Store interface { Get(id string) string; Put(id string) }
type Base struct{}
func (b *Base) Close() { b.flush() }
func (b *Base) flush() {}
type Memory struct { Base; cache *Cache }
func New() *Memory { return &Memory{} }
func (m *Memory) Get(id string) string { m.cache.Hit(); return id }
func (m *Memory) Put(id string) {}
--- store/cache.go
package store
type Cache struct{}
func (c *Cache) Hit() { touch() }
func touch() {}
--- cmd/main.go
package main
import (
	\"fmt\"
	st \"example.com/shop/store\"
)
func serve(s st.Store) { s.Get(\"a\") }
func main() {
	m := st.New()
	m.Get(\"x\")
	m.Close()
	serve(m)
	fmt.Println(len(\"x\"))
	st.Missing()
}
",
        &["CALLS", "INHERITS", "UNRESOLVED", "IMPORTS"],
        "
IMPORTS cmd/main.go -> store/cache.go
IMPORTS cmd/main.go -> store/store.go
INHERITS store/store.go::Memory -> store/store.go::Base [lexical]
CALLS store/store.go::Base.Close -> store/store.go::Base.flush [type]
CALLS store/store.go::New -> store/store.go::Memory [lexical]
CALLS store/store.go::Memory.Get -> store/cache.go::Cache.Hit [type]
CALLS store/cache.go::Cache.Hit -> store/cache.go::touch [lexical]
CALLS cmd/main.go::serve -> store/store.go::Store.Get [type]
CALLS cmd/main.go::serve -> store/store.go::Memory.Get [override]
CALLS cmd/main.go::main -> store/store.go::New [import]
CALLS cmd/main.go::main -> store/store.go::Memory.Get [type]
CALLS cmd/main.go::main -> store/store.go::Base.Close [type]
CALLS cmd/main.go::main -> cmd/main.go::serve [lexical]
UNRESOLVED cmd/main.go::main .Missing 1
",
    );
}
