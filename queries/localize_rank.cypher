// localize_rank, version 1, for schema 1.
// How central a symbol is.
// Parameters:
//   id  STRING  the symbol: path::Qual.name
// Columns: rank DOUBLE (ln(1 + distinct callers))
// Plan: starts from the primary key of Symbol.
MATCH (s:Symbol {id: $id}) RETURN s.rank AS rank;
