import os
from pathlib import Path

import pytest

from rulerank.errors import InputError
from rulerank.files import require_outputs, require_page
from rulerank.files.outputs import locked_above


def test_output_that_cannot_be_written_is_refused_before_the_work(tmp_path) -> None:
    (tmp_path / "a").write_text("a file, no folder")

    with pytest.raises(InputError, match="expected a file to write, found a folder"):
        require_outputs(None, tmp_path)
    with pytest.raises(InputError, match=r"found that .*a is a file"):
        require_outputs(tmp_path / "a" / "b")
    with pytest.raises(InputError, match="File name too long"):
        require_outputs(tmp_path / ("a" * 300))


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that root may not write to")
def test_output_in_a_folder_that_may_not_be_written_to_is_refused() -> None:
    # What replaces a file is put beside it first, even if the file itself may be written to.
    for name in ("new/file", "comm"):
        with pytest.raises(InputError, match="found that /proc/self may not be written to"):
            require_outputs(Path("/proc/self") / name)
    with pytest.raises(InputError, match="found that /proc/self may not be written to"):
        require_outputs(extended=[Path("/proc/self/new")])
    require_outputs(extended=[Path("/proc/self/comm"), None])


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that root may not write to")
def test_folder_is_replaced_where_the_one_above_may_be_written_to(tmp_path) -> None:
    assert os.access("/proc/self/task", os.W_OK)
    assert locked_above(Path("/proc/self/task")) == Path("/proc/self")
    assert locked_above(tmp_path / "new" / "folder") is None


@pytest.mark.parametrize("target", ["kept", "nothing"])
def test_output_that_is_a_link_is_refused(tmp_path, target) -> None:
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / target)
    with pytest.raises(InputError, match=rf"expected a file to write, found a link to .*{target}"):
        require_outputs(tmp_path / "link")


def test_output_that_is_a_device_is_refused(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(InputError, match="expected a file to write, found a device"):
            require_outputs(path)


def test_output_that_is_read_is_refused(tmp_path) -> None:
    for name in ("data", "bundle"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "old").touch()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    data, bundle = tmp_path / "data", tmp_path / "bundle"
    require_outputs(data / "new", tmp_path / "new", inputs=[data, None], sealed=bundle)
    with pytest.raises(InputError, match="found an input"):
        require_outputs(tmp_path / "new", inputs=[tmp_path / "data" / ".." / "new"])
    for path in (data / "old", tmp_path / "link" / "old", bundle / "old", bundle / "new", bundle / "a" / "b"):
        with pytest.raises(InputError, match=rf"^{path}: .*found a path inside the input .*"):
            require_outputs(path, inputs=[data], sealed=bundle)


def test_two_outputs_of_one_file_are_refused(tmp_path) -> None:
    (tmp_path / "b").mkdir()

    with pytest.raises(InputError, match="expected a file of its own for each output"):
        require_outputs(tmp_path / "a", tmp_path / "b" / ".." / "a")
    require_outputs(tmp_path / "a", tmp_path / "new" / "a", None)
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_page_replaces_nothing_but_a_page(tmp_path) -> None:
    path = tmp_path / "page.html"
    for content in (None, "", "<!doctype html>\n<p>old", "<!DOCTYPE HTML><p>old"):
        if content is not None:
            path.write_text(content)
        require_page(path)
    require_page(None)
    for content in ('{"_id": "p1"}\n', "<", "<!doctype x"):
        path.write_text(content)
        with pytest.raises(InputError) as error:
            require_page(path)
        assert str(error.value) == (
            f"{path}: expected a new file, or an HTML page to replace, which begins with <!doctype html; "
            "found another file. Choose another path."
        )
        assert path.read_text() == content
