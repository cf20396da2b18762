// localize_rank: how central a symbol is.
// version: 1
// schema: 2
// param: $id STRING, the symbol, e.g. "src/shop/cart.py::Cart.total"
// column: rank DOUBLE, ln(1 + distinct callers)
// start: key $id
MATCH (s:Symbol {id: $id}) RETURN s.rank AS rank;
