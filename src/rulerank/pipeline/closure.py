"""The import closure: every file of the library that running a script can load.

It is read from the syntax trees, so no module is run. Imports within functions count. Two kinds do not: those
under `if TYPE_CHECKING`, which never run, and those in functions of a package's `__init__` that is loaded
only on the way to one of its modules. A module that is named only at run time is not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import resolve_name
from pathlib import Path

from rulerank.files import read_text


@dataclass(frozen=True)
class Source:
    """What one Python file imports.

    Parameters
    ----------
    loaded : frozenset of str
        Modules that the file imports when it is loaded.
    used : frozenset of str
        The same, plus those that its functions import.
    reads_data : bool
        Whether it looks for files in its own folder, by `importlib.resources` or `__file__`.

    """

    loaded: frozenset[str]
    used: frozenset[str]
    reads_data: bool


class ImportGraph:
    """The imports of the packages in a folder.

    Parameters
    ----------
    root : path
        The folder that contains the packages, such as `src`.

    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._sources: dict[Path, Source] = {}

    def closure(self, script: Path) -> set[Path]:
        """Return the files below the root that running a script can load: modules, and their data."""
        used: set[Path] = set()
        loaded: set[Path] = set()
        todo = [(script, True)]
        while todo:
            path, whole = todo.pop()
            if path in used or (path in loaded and not whole):
                continue
            (used if whole else loaded).add(path)
            source = self.source(path)
            for name in source.used if whole else source.loaded:
                todo.extend(self._files(name))
        modules = (used | loaded) - {script}
        readers = (path for path in modules if self.source(path).reads_data)
        return modules.union(*map(data_files, readers))

    def source(self, path: Path) -> Source:
        """Return what a file imports."""
        if path not in self._sources:
            tree = ast.parse(read_text(path), str(path))
            used, loaded = (set(self._names(tree, path, functions=each)) for each in (True, False))
            self._sources[path] = Source(frozenset(loaded), frozenset(used), _reads_data(tree, used))
        return self._sources[path]

    def _names(self, tree: ast.Module, path: Path, *, functions: bool) -> Iterator[str]:
        """Yield the modules that a file names in its imports."""
        for statement in _imports(tree, functions=functions):
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    # `import a.b` binds `a`, so anything in `a` may be used; `import a.b as b` binds `a.b`.
                    yield from [alias.name] if alias.asname else {alias.name, alias.name.partition(".")[0]}
                continue
            package = ".".join(path.parent.relative_to(self.root).parts) if statement.level else None
            origin = resolve_name("." * statement.level + (statement.module or ""), package)
            for alias in statement.names:
                below = f"{origin}.{alias.name}"
                yield below if self._file(below) or not self._file(origin) else origin

    def _files(self, name: str) -> Iterator[tuple[Path, bool]]:
        """Yield the file of a module, and those of the packages above it, which are loaded on the way."""
        parts = name.split(".")
        for depth in range(1, len(parts) + 1):
            if file := self._file(".".join(parts[:depth])):
                yield file, depth == len(parts)

    def _file(self, name: str) -> Path | None:
        place = self.root.joinpath(*name.split("."))
        files = place.with_suffix(".py"), place / "__init__.py"
        return next((file for file in files if file.is_file()), None)


def data_files(module: Path) -> Iterator[Path]:
    """Yield the files in and below a module's folder that are not Python, leaving out other packages."""
    for path in module.parent.iterdir():
        yield from _data(path)


def _data(path: Path) -> Iterator[Path]:
    if path.is_dir():
        if path.name != "__pycache__" and not (path / "__init__.py").exists():
            for below in path.iterdir():
                yield from _data(below)
    elif path.suffix not in {".py", ".typed"}:
        yield path


def _imports(node: ast.AST, *, functions: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements below a node, with or without those in functions."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    elif functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for child in _running(node):
            yield from _imports(child, functions=functions)


def _running(node: ast.AST) -> Iterable[ast.AST]:
    """Return what is below a node, except what only type checkers read."""
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        return node.orelse
    return ast.iter_child_nodes(node)


def _reads_data(tree: ast.Module, names: set[str]) -> bool:
    by_name = any(isinstance(node, ast.Name) and node.id == "__file__" for node in ast.walk(tree))
    return by_name or any(name.startswith("importlib.resources") for name in names)
