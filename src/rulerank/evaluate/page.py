"""A Markdown report as one self-contained HTML file: styles and pictures are inside it."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping
from itertools import pairwise
from string import Template

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark;
  --ink: #1c2530; --faint: #5d6875; --paper: #ffffff; --line: #d8dee6; --band: #f4f6f9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e8ee; --faint: #9aa6b4; --paper: #14181d; --line: #343c46; --band: #1c2229; }
}
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 0.75rem; }
h1 { margin-top: 0; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: 0.25rem; }
p { max-width: 48rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td { min-width: 3rem; max-width: 36rem; }
th { color: var(--faint); text-align: left; white-space: nowrap; }
tbody tr:nth-child(even) { background: var(--band); }
img { max-width: 100%; height: auto; background: #ffffff; border-radius: 4px; }
code { font-size: 0.9em; }
</style>
</head>
<body>
<main>
$body</main>
</body>
</html>
""")


def html_page(markdown: str, pictures: Mapping[str, bytes] | None = None) -> str:
    """Return a Markdown report as one HTML file.

    Parameters
    ----------
    markdown : str
        The report; its first heading becomes the title. HTML in it is shown as text.
    pictures : mapping of str to bytes, optional
        The PNG files that the report shows, by their address in it; they are embedded in the page.

    Raises
    ------
    KeyError
        The report shows a picture that is not in `pictures`.

    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(markdown)
    for token in tokens:
        for part in token.children or ():
            if part.type == "image":
                part.attrSet("src", _data_uri((pictures or {})[str(part.attrGet("src"))]))
    body = parser.renderer.render(tokens, parser.options, {})
    body = body.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
    return _PAGE.substitute(title=html.escape(_title(tokens)), body=body)


def _title(tokens: list[Token]) -> str:
    headings = (after.content for token, after in pairwise(tokens) if token.type == "heading_open")
    return next(headings, "Report")


def _data_uri(picture: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(picture).decode("ascii")
