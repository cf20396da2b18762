//! Parameters into and rows out of the engine.

use kuzu::{LogicalType, Value};

use super::{Result, StoreError};

/// Parameters of a statement: names without the `$`.
pub type Params<'a> = Vec<(&'a str, Value)>;

/// A string parameter.
pub fn text(value: impl Into<String>) -> Value {
    Value::String(value.into())
}

/// An INT64 parameter.
pub fn int(value: impl Into<i64>) -> Value {
    Value::Int64(value.into())
}

/// An `INT64[]` parameter.
pub fn ints(values: &[u32]) -> Value {
    Value::List(LogicalType::Int64, values.iter().map(|&v| Value::Int64(v.into())).collect())
}

/// A `STRING[]` parameter.
pub fn texts<S: AsRef<str>>(values: &[S]) -> Value {
    Value::List(LogicalType::String, values.iter().map(|v| Value::String(v.as_ref().to_owned())).collect())
}

/// Rows as one parameter, for `UNWIND $rows AS r`. All have the names and types of the first.
pub fn structs(rows: &[Params<'static>]) -> Value {
    let fields = rows.first().map_or_else(Vec::new, |row| {
        row.iter().map(|(name, value)| ((*name).to_owned(), LogicalType::from(value))).collect()
    });
    let row = |row: &Params<'static>| Value::Struct(row.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect());
    Value::List(LogicalType::Struct { fields }, rows.iter().map(row).collect())
}

/// An answer in memory: column names and rows in the order of the statement.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Rows {
    /// Column names as returned.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}

impl Rows {
    /// The only column of the only row, if there is a row.
    pub fn single(&self) -> Option<&Value> {
        self.rows.first().and_then(|row| row.first())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Typed reading of one row's columns by number. NULL reads as the type's empty value where that is harmless.
pub trait RowExt {
    /// A STRING; NULL is empty.
    fn str(&self, column: usize) -> Result<&str>;
    /// Any integer; NULL is 0.
    fn int(&self, column: usize) -> Result<i64>;
    /// DOUBLE or FLOAT; NULL is 0.
    fn float(&self, column: usize) -> Result<f64>;
    /// BOOLEAN; NULL is false.
    fn bool(&self, column: usize) -> Result<bool>;
    /// `INT64[]`; NULL is empty.
    fn ints(&self, column: usize) -> Result<Vec<i64>>;
    /// `STRING[]`; NULL is empty.
    fn strs(&self, column: usize) -> Result<Vec<&str>>;
    /// Takes a STRING out of the row; NULL is empty.
    fn take_str(&mut self, column: usize) -> Result<String>;
}

fn wrong(column: usize, expected: &'static str, found: Option<&Value>) -> StoreError {
    let found = found.map_or_else(|| "nothing".to_owned(), |v| format!("{:?}", LogicalType::from(v)));
    StoreError::Column { column: column.to_string(), expected, found }
}

fn integer(value: &Value) -> Option<i64> {
    match *value {
        Value::Int64(v) => Some(v),
        Value::Int32(v) => Some(v.into()),
        Value::Int16(v) => Some(v.into()),
        Value::Int8(v) => Some(v.into()),
        Value::UInt64(v) => i64::try_from(v).ok(),
        Value::UInt32(v) => Some(v.into()),
        Value::UInt16(v) => Some(v.into()),
        Value::UInt8(v) => Some(v.into()),
        Value::Int128(v) => i64::try_from(v).ok(),
        Value::Null(_) => Some(0),
        _ => None,
    }
}

impl RowExt for [Value] {
    fn str(&self, column: usize) -> Result<&str> {
        match self.get(column) {
            Some(Value::String(v)) => Ok(v),
            Some(Value::Null(_)) => Ok(""),
            other => Err(wrong(column, "a string", other)),
        }
    }

    fn int(&self, column: usize) -> Result<i64> {
        let value = self.get(column);
        value.and_then(integer).ok_or_else(|| wrong(column, "an integer", value))
    }

    fn float(&self, column: usize) -> Result<f64> {
        match self.get(column) {
            Some(Value::Double(v)) => Ok(*v),
            Some(Value::Float(v)) => Ok((*v).into()),
            Some(Value::Null(_)) => Ok(0.0),
            other => Err(wrong(column, "a number", other)),
        }
    }

    fn bool(&self, column: usize) -> Result<bool> {
        match self.get(column) {
            Some(Value::Bool(v)) => Ok(*v),
            Some(Value::Null(_)) => Ok(false),
            other => Err(wrong(column, "a boolean", other)),
        }
    }

    fn ints(&self, column: usize) -> Result<Vec<i64>> {
        match self.get(column) {
            Some(Value::List(_, items) | Value::Array(_, items)) => items
                .iter()
                .map(|item| integer(item).ok_or_else(|| wrong(column, "a list of integers", Some(item))))
                .collect(),
            Some(Value::Null(_)) => Ok(Vec::new()),
            other => Err(wrong(column, "a list of integers", other)),
        }
    }

    fn strs(&self, column: usize) -> Result<Vec<&str>> {
        match self.get(column) {
            Some(Value::List(_, items) | Value::Array(_, items)) => items
                .iter()
                .map(|item| match item {
                    Value::String(v) => Ok(v.as_str()),
                    other => Err(wrong(column, "a list of strings", Some(other))),
                })
                .collect(),
            Some(Value::Null(_)) => Ok(Vec::new()),
            other => Err(wrong(column, "a list of strings", other)),
        }
    }

    fn take_str(&mut self, column: usize) -> Result<String> {
        match self.get_mut(column) {
            Some(Value::String(v)) => Ok(std::mem::take(v)),
            Some(Value::Null(_)) => Ok(String::new()),
            other => Err(wrong(column, "a string", other.map(|v| &*v))),
        }
    }
}
