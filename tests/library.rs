//! Tests of the library's parts on real files.
