"""Download published corpora at a pinned revision: resumable, verified, never leaving half a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from importlib.resources import files as package_files
from pathlib import Path, PurePosixPath
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from pydantic import TypeAdapter, ValidationError
from rich.console import Console
from rich.progress import Progress

from rulerank.errors import InputError, nearest
from rulerank.files import make_folder, read_json, write_json

GITHUB_RAW = "https://raw.githubusercontent.com"
DATA_SETS = ("obliqa", "searchfiresafety")
CHECKSUMS = "checksums.json"
"""In the folder: the git blob ids, at first download, of files for which none is known beforehand."""
_TIMEOUT_SECONDS = 60
_CHUNK = 1 << 16


@dataclass(frozen=True)
class PublishedFile:
    r"""A file in a public repository.

    Parameters
    ----------
    repository, revision, path : str
        Where it is published.
    git_blob : str, optional
        Its git blob id: the SHA-1 of ``b"blob <size>\0"`` and the content. Without one, the id of the first
        download is recorded and applies from then on.

    """

    repository: str
    revision: str
    path: str
    git_blob: str | None = None

    @property
    def target(self) -> Path:
        """Where the readers expect the file: ObliQA's documents in their folder, all others flat."""
        parts = PurePosixPath(self.path).parts
        return Path(*parts[-2:]) if parts[0] == "StructuredRegulatoryDocuments" else Path(parts[-1])

    def url(self, base_url: str) -> str:
        """Return the address of the file under `base_url`."""
        return f"{base_url.rstrip('/')}/{self.repository}/{self.revision}/{quote(self.path)}"


def published_files(name: str) -> tuple[PublishedFile, ...]:
    """Return the public files of a data set, one of `DATA_SETS`, at their pinned revisions.

    Raises
    ------
    InputError
        There is no such data set.

    """
    if name not in DATA_SETS:
        known = " or ".join(repr(each) for each in DATA_SETS)
        raise InputError(
            name, f"expected the data set {known}. Run `rulerank data fetch {nearest(name, DATA_SETS)}`."
        )
    source = package_files("rulerank.corpora").joinpath(f"{name}_sources.json")
    return tuple(PublishedFile(**entry) for entry in json.loads(source.read_text("utf-8")))


def fetch(
    files: Sequence[PublishedFile],
    destination: Path,
    base_url: str = GITHUB_RAW,
) -> list[Path]:
    """Download `files` into the folder `destination`; run it again to resume.

    A file is written to `<name>.part` and gets its name when its checksum is right. A file that is already
    there with the right checksum is skipped. A file without a known checksum is accepted at first download,
    and its checksum is written to `checksums.json`.

    Parameters
    ----------
    files : sequence of PublishedFile
        What to download.
    destination : Path
        The folder; it is made if missing.
    base_url : str, optional
        Address of a host that serves `repository/revision/path`.

    Returns
    -------
    list of Path
        The files downloaded now.

    Raises
    ------
    InputError
        The server refuses or breaks off, a checksum is wrong, or another file is in the way
        (nothing is downloaded then).

    """
    if not base_url.startswith(("http://", "https://")):
        raise InputError(base_url, "expected an http or https address. Correct the base address.")
    recorded = _recorded(destination)
    known = [replace(file, git_blob=file.git_blob or recorded.get(file.target.as_posix())) for file in files]
    wanted = [file for file in known if not _is_there(destination / file.target, file.git_blob)]
    with _progress() as shown:
        task = shown.add_task("", total=len(wanted))
        for file in wanted:
            shown.update(task, description=file.target.name)
            path = destination / file.target
            part = path.with_name(path.name + ".part")
            came = _download(file, part, base_url)
            if file.git_blob is None:
                # Before the file gets its name: without a record, the next run would take it for another one.
                recorded[file.target.as_posix()] = came
                write_json(destination / CHECKSUMS, recorded)
            part.replace(path)
            shown.advance(task)
    return [destination / file.target for file in wanted]


def git_blob_id(path: Path) -> str:
    """Return the id that git gives the content of a file, in hexadecimal."""
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _recorded(destination: Path) -> dict[str, str]:
    path = destination / CHECKSUMS
    if not path.exists():
        return {}
    try:
        return TypeAdapter(dict[str, str]).validate_python(read_json(path))
    except ValidationError as error:
        raise InputError(
            path, "expected the git blob id of each file by its name. Remove it and the files that it names."
        ) from error


def _is_there(path: Path, git_blob: str | None) -> bool:
    if not path.exists():
        return False
    if git_blob_id(path) != git_blob:
        raise InputError(
            path,
            "expected the published file or none, found another one. Move it away or choose another folder.",
        )
    return True


def _download(file: PublishedFile, part: Path, base_url: str) -> str:
    """Download one file as `part` and return its git blob id."""
    if file.git_blob is None:
        # Nothing could tell whether the new content belongs to the content that is there.
        part.unlink(missing_ok=True)
    url = file.url(base_url)
    try:
        _complete(url, part)
    except HTTPError as error:
        raise InputError(
            url,
            f"expected the file, the server answered {error.code} {error.reason}. "
            "Check the network, and that the repository still has this revision.",
        ) from error
    except (OSError, HTTPException) as error:
        raise InputError(
            url, f"the connection failed: {error}. Run the same command again; what was downloaded is kept."
        ) from error
    found = git_blob_id(part)
    if file.git_blob not in (None, found):
        part.unlink()
        raise InputError(
            url,
            f"expected content with git blob id {file.git_blob}, found {found}; it was deleted. "
            "Run the same command again.",
        )
    return found


def _complete(url: str, part: Path) -> None:
    """Download what `part` still lacks; a server that does not resume sends all of it again."""
    size = part.stat().st_size if part.exists() else 0
    try:
        response = _open(url, size)
    except HTTPError as error:
        if not size or error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise
        # The part is as long as the file or longer; its checksum tells which.
        return
    with response:
        # Only now: a server that does not answer leaves no empty folder.
        make_folder(part.parent)
        with part.open("ab" if response.status == HTTPStatus.PARTIAL_CONTENT else "wb") as stream:
            expected = response.length
            received = 0
            while chunk := response.read(_CHUNK):
                received += stream.write(chunk)
    if expected is not None and received < expected:
        raise ConnectionError(f"{expected - received} bytes of {expected} were not received")


def _open(url: str, start: int) -> HTTPResponse:
    headers = {"Range": f"bytes={start}-"} if start else {}
    request = Request(url, headers=headers)  # noqa: S310  fetch() lets only http and https through
    response: HTTPResponse = urlopen(request, timeout=_TIMEOUT_SECONDS)  # noqa: S310
    return response


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
