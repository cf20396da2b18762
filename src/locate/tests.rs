//! The ranking on small repositories written here.

use super::*;
