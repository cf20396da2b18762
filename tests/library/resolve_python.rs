//! Python: small projects with all their edges.

use super::resolve_project::assert_edges;

const CALLS: &[&str] = &["CALLS", "UNRESOLVED"];

#[test]
fn imports_lead_through_packages_and_re_exports() {
    assert_edges(
        "
--- pyproject.toml
[tool.setuptools.packages.find]
where = ['src']
--- src/pkg/__init__.py
from .core import Engine as Engine, start
from .extra import *
from . import tools
--- src/pkg/core.py
class Engine:
    def __init__(self, size=1):
        self.size = size
    @staticmethod
    def build():
        return Engine(2)
    @classmethod
    def default(cls):
        return cls()
def start():
    return Engine.build()
--- src/pkg/extra.py
__all__ = ['bonus', '_listed']
def bonus(): pass
def _listed(): pass
def _hidden(): pass
--- src/pkg/tools.py
def hammer(): pass
--- tests/test_pkg.py
import pkg
import pkg.tools as t
from pkg import tools, start as go, _listed
from pkg.core import Engine
from pkg import missing
import json
def test_all():
    pkg.start()
    pkg.Engine()
    pkg.bonus()
    pkg.tools.hammer()
    t.hammer()
    tools.hammer()
    go().default()
    _listed()
    Engine.build()
    missing()
    pkg.nothing()
    json.dumps({})
",
        &["CALLS", "UNRESOLVED", "IMPORTS", "TESTS"],
        "
CALLS src/pkg/core.py::Engine.build -> src/pkg/core.py::Engine.__init__ [lexical]
CALLS src/pkg/core.py::Engine.default -> src/pkg/core.py::Engine.__init__ [type]
CALLS src/pkg/core.py::start -> src/pkg/core.py::Engine.build [type]
CALLS tests/test_pkg.py::test_all -> src/pkg/core.py::start [import]
CALLS tests/test_pkg.py::test_all -> src/pkg/core.py::Engine.__init__ [import]
CALLS tests/test_pkg.py::test_all -> src/pkg/extra.py::bonus [import]
CALLS tests/test_pkg.py::test_all -> src/pkg/extra.py::_listed [import]
CALLS tests/test_pkg.py::test_all -> src/pkg/tools.py::hammer [import]
CALLS tests/test_pkg.py::test_all -> src/pkg/core.py::Engine.default [type]
CALLS tests/test_pkg.py::test_all -> src/pkg/core.py::Engine.build [type]
UNRESOLVED tests/test_pkg.py::test_all missing 1
UNRESOLVED tests/test_pkg.py::test_all .nothing 1
IMPORTS src/pkg/__init__.py -> src/pkg/core.py
IMPORTS src/pkg/__init__.py -> src/pkg/extra.py
IMPORTS src/pkg/__init__.py -> src/pkg/tools.py
IMPORTS tests/test_pkg.py -> src/pkg/__init__.py
IMPORTS tests/test_pkg.py -> src/pkg/core.py
IMPORTS tests/test_pkg.py -> src/pkg/tools.py
TESTS tests/test_pkg.py::test_all -> src/pkg/core.py::start [import]
TESTS tests/test_pkg.py::test_all -> src/pkg/core.py::Engine.__init__ [import]
TESTS tests/test_pkg.py::test_all -> src/pkg/extra.py::bonus [import]
TESTS tests/test_pkg.py::test_all -> src/pkg/extra.py::_listed [import]
TESTS tests/test_pkg.py::test_all -> src/pkg/tools.py::hammer [import]
TESTS tests/test_pkg.py::test_all -> src/pkg/core.py::Engine.default [type]
TESTS tests/test_pkg.py::test_all -> src/pkg/core.py::Engine.build [type]
",
    );
}

#[test]
fn members_are_found_through_classes_of_other_files() {
    assert_edges(
        "
--- base.py
from typing import Generic, TypeVar
T = TypeVar('T')
class Base(Generic[T]):
    def __init__(self):
        self.helper = Helper()
    def run(self):
        self.step()
        self.helper.go()
    def step(self):
        raise NotImplementedError
    def fluent(self):
        return self
class Helper:
    def go(self): pass
    def __enter__(self):
        return self
    def __exit__(self, *a): pass
    def __iter__(self):
        yield Item()
class Item:
    def touch(self): pass
    @property
    def owner(self) -> 'Helper':
        return Helper()
--- child.py
import base
from base import Helper, Item
class Child(base.Base[int]):
    def step(self):
        super().step()
        self.fluent().own()
    def own(self): pass
def use(items: list[Item], maybe: 'Item | None', anything):
    c = Child()
    c.run()
    c.helper.go()
    with Helper() as h:
        h.go()
        for i in h:
            i.touch()
            i.owner.go()
    for x in items:
        x.touch()
    if isinstance(anything, Item):
        anything.touch()
    maybe.touch()
    [y.touch() for y in items]
",
        &["CALLS", "UNRESOLVED", "INHERITS"],
        "
INHERITS child.py::Child -> base.py::Base [import]
CALLS base.py::Base.__init__ -> base.py::Helper [lexical]
CALLS base.py::Base.run -> base.py::Base.step [type]
CALLS base.py::Base.run -> child.py::Child.step [override]
CALLS base.py::Base.run -> base.py::Helper.go [type]
CALLS base.py::Helper.__iter__ -> base.py::Item [lexical]
CALLS base.py::Item.owner -> base.py::Helper [lexical]
CALLS child.py::Child.step -> base.py::Base.step [type]
CALLS child.py::Child.step -> base.py::Base.fluent [type]
CALLS child.py::Child.step -> child.py::Child.own [type]
CALLS child.py::use -> child.py::Child [lexical]
CALLS child.py::use -> base.py::Base.__init__ [override]
CALLS child.py::use -> base.py::Base.run [type]
CALLS child.py::use -> base.py::Helper.go [type]
CALLS child.py::use -> base.py::Helper [import]
CALLS child.py::use -> base.py::Item.touch [type]
",
    );
}

#[test]
fn builtin_names_and_unknown_receivers_are_not_tied_to_what_happens_to_be_called_so() {
    assert_edges(
        "
--- a.py
class Box:
    def append(self, x): pass
    def min(self): pass
    def get(self, k): pass
    def unusual_name(self): pass
    def common_word(self): pass
class Other:
    def common_word(self): pass
def load(): pass
def shadow(load, items):
    load()
    items.append(1)
    min(1, 2)
    items.get('x')
    items.unusual_name()
    items.common_word()
    items.does_not_exist()
    getattr(items, 'unusual_name')()
def local():
    from json import loads as load
    load('1')
",
        CALLS,
        "
CALLS a.py::shadow -> a.py::Box.unusual_name [unique name]
UNRESOLVED a.py::shadow .common_word 1
UNRESOLVED a.py::shadow load 1
UNRESOLVED a.py::shadow .append 1
UNRESOLVED a.py::shadow .get 1
",
    );
}

#[test]
fn fixtures_helpers_and_decorators() {
    assert_edges(
        "
--- app/__init__.py
from contextlib import contextmanager
class Client:
    def transmit(self): pass
    def close(self): pass
class Command:
    def __init__(self, f): self.f = f
    def main(self): pass
def command(f):
    return Command(f)
@command
def cli(): pass
@contextmanager
def opened():
    yield Client()
def never(): pass
--- tests/conftest.py
import pytest
from app import Client
@pytest.fixture
def client():
    c = Client()
    yield c
    c.close()
--- tests/test_app.py
from app import cli, opened
def check(http_client):
    http_client.transmit()
def test_one(client):
    client.transmit()
    cli.main()
def test_two():
    with opened() as c:
        check(c)
",
        &["CALLS", "TESTS", "UNRESOLVED"],
        "
CALLS app/__init__.py::command -> app/__init__.py::Command.__init__ [lexical]
CALLS app/__init__.py::opened -> app/__init__.py::Client [lexical]
CALLS tests/conftest.py::client -> app/__init__.py::Client [import]
CALLS tests/conftest.py::client -> app/__init__.py::Client.close [type]
CALLS tests/test_app.py::check -> app/__init__.py::Client.transmit [unique name]
CALLS tests/test_app.py::test_one -> app/__init__.py::Client.transmit [type]
CALLS tests/test_app.py::test_one -> app/__init__.py::Command.main [type]
CALLS tests/test_app.py::test_two -> app/__init__.py::opened [import]
CALLS tests/test_app.py::test_two -> tests/test_app.py::check [lexical]
TESTS tests/conftest.py::client -> app/__init__.py::Client [import]
TESTS tests/conftest.py::client -> app/__init__.py::Client.close [type]
TESTS tests/test_app.py::check -> app/__init__.py::Client.transmit [unique name]
TESTS tests/test_app.py::test_one -> app/__init__.py::Client.transmit [type]
TESTS tests/test_app.py::test_one -> app/__init__.py::Command.main [type]
TESTS tests/test_app.py::test_one -> app/__init__.py::Client [import]
TESTS tests/test_app.py::test_one -> app/__init__.py::Client.close [type]
TESTS tests/test_app.py::test_two -> app/__init__.py::opened [import]
TESTS tests/test_app.py::test_two -> app/__init__.py::Client.transmit [unique name]
",
    );
}

#[test]
fn dispatch_tables_and_properties() {
    assert_edges(
        "
--- a.py
def fast(): pass
def slow(): pass
TABLE = {'fast': fast, 'slow': slow}
class View:
    def __call__(self): pass
class Graph:
    @property
    def nodes(self):
        return View()
def run(how, g: Graph):
    TABLE[how]()
    f = TABLE.get(how)
    f()
    g.nodes()
",
        CALLS,
        "
CALLS a.py::Graph.nodes -> a.py::View [lexical]
CALLS a.py::run -> a.py::fast [override]
CALLS a.py::run -> a.py::slow [override]
CALLS a.py::run -> a.py::Graph.nodes [type]
CALLS a.py::run -> a.py::View.__call__ [type]
",
    );
}

#[test]
fn what_depends_on_the_path_taken_is_possible_only() {
    assert_edges(
        "
--- pkg/__init__.py
from .inner import *
from .outer import *
--- pkg/inner.py
__all__ = ['shown']
from .outer import helper as run_it
def shown(): pass
def hidden(): pass
--- pkg/outer.py
def helper(): pass
def run_it(): pass
--- use.py
import pkg
import os
class A:
    def go(self): pass
class B:
    def go(self): pass
class C(A): pass
if os.name == 'nt':
    def pick(): pass
else:
    def pick(): pass
def pair() -> tuple[A, B]: ...
def stars():
    pkg.run_it()
    pkg.shown()
    pkg.hidden()
def parts():
    first, second = pair()
    first.go()
    second.go()
    for both in [pair()]:
        one, two = both
        two.go()
def chosen(flag, f=None):
    pick()
    if flag:
        f = pkg.shown
    f()
def single():
    g = pkg.shown
    g()
def either(x: A | B, y: A | C):
    x.go()
    y.go()
def made():
    C()
def reset(flag):
    a: A | None = None
    if flag:
        a = B()
        a = None
    a.go()
    b = B()
    if flag:
        b = None
    b.go()
",
        &["CALLS"],
        "
CALLS use.py::stars -> pkg/outer.py::run_it [import]
CALLS use.py::stars -> pkg/inner.py::shown [import]
CALLS use.py::stars -> pkg/inner.py::hidden [import]
CALLS use.py::parts -> use.py::pair [lexical]
CALLS use.py::parts -> use.py::A.go [type]
CALLS use.py::parts -> use.py::B.go [type]
CALLS use.py::chosen -> use.py::pick [override]
CALLS use.py::chosen -> use.py::pick#2 [override]
CALLS use.py::chosen -> pkg/inner.py::shown [override]
CALLS use.py::single -> pkg/inner.py::shown [type]
CALLS use.py::either -> use.py::A.go [override]
CALLS use.py::either -> use.py::B.go [override]
CALLS use.py::either -> use.py::A.go [type]
CALLS use.py::made -> use.py::C [lexical]
CALLS use.py::reset -> use.py::A.go [type]
CALLS use.py::reset -> use.py::B [lexical]
CALLS use.py::reset -> use.py::B.go [type]
",
    );
}

/// What a context variable or queue holds comes out of `get`; `Box[int](...)` makes a Box; a class that an attribute
/// holds may be another one.
#[test]
fn context_variables_generic_classes_and_classes_held_by_attributes() {
    assert_edges(
        "
--- a.py
from contextvars import ContextVar
from typing import Generic, TypeVar
T = TypeVar('T')

class Ctx:
    def copy(self): ...

class Reply: ...

class Box(Generic[T]):
    def __init__(self, v): ...

current: ContextVar[Ctx] = ContextVar('current')

class App:
    reply_class = Reply
    flag = Box[bool](1)

    def answer(self):
        return self.reply_class()

def run():
    if (ctx := current.get(None)) is not None:
        ctx.copy()
",
        &["CALLS", "UNRESOLVED"],
        "
CALLS a.py::App -> a.py::Box.__init__ [lexical]
CALLS a.py::App.answer -> a.py::Reply [override]
CALLS a.py::run -> a.py::Ctx.copy [type]
",
    );
}
