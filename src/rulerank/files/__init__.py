"""Files: read with errors that name the place, written whole or not at all."""

from rulerank.files.atomic import (
    FULL,
    json_line,
    make_folder,
    replacing,
    replacing_folder,
    write_json,
    write_lines,
    write_text,
)
from rulerank.files.lines import PRIVATE, add_line, alone_in, extended_alone, require_lines_of
from rulerank.files.outputs import require_outputs, require_page
from rulerank.files.reading import files_in, literal, parse_json, read_json, read_text, sha256

__all__ = [
    "FULL",
    "PRIVATE",
    "add_line",
    "alone_in",
    "extended_alone",
    "files_in",
    "json_line",
    "literal",
    "make_folder",
    "parse_json",
    "read_json",
    "read_text",
    "replacing",
    "replacing_folder",
    "require_lines_of",
    "require_outputs",
    "require_page",
    "sha256",
    "write_json",
    "write_lines",
    "write_text",
]
