//! Names of methods that a language's own library has: `.name()` on something unknown is most likely one of these.
//!
//! Made from the libraries themselves: Python 3.11 (public methods of the classes of about a hundred modules, by
//! introspection), TypeScript's `lib.*.d.ts` with `@types/node` 25, and the public methods of Java 17's `java.base`,
//! `java.logging`, `java.net.http`, `java.sql` and `java.xml`. Sorted, a name a line.

use super::ModuleSystem;

const PYTHON: &str = include_str!("library/python.txt");
const ECMASCRIPT: &str = include_str!("library/ecmascript.txt");
const JAVA: &str = include_str!("library/java.txt");

/// The names of a language's library, sorted by byte; none where no list was made.
pub(crate) fn methods(system: ModuleSystem) -> impl Iterator<Item = &'static str> {
    let list = match system {
        ModuleSystem::Python => PYTHON,
        ModuleSystem::EcmaScript => ECMASCRIPT,
        ModuleSystem::Java => JAVA,
        ModuleSystem::Go | ModuleSystem::Rust => "",
    };
    list.lines()
}
