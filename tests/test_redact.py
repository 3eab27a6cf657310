from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError, RulerankError
from rulerank.redact import redacted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgresql://ann:s3cret@db/mlflow", "postgresql://***@db/mlflow"),
        ("mysql+pymysql://ann:p@ss/w@rd@db:3306/x", "mysql+pymysql://***@db:3306/x"),
        ("http://token@host/path and http://other/path", "http://***@host/path and http://other/path"),
        ("mssql://db/x?driver=odbc&Password=a%40b&y=1", "mssql://db/x?driver=odbc&Password=***&y=1"),
        ("https://host/?access_token=abc", "https://host/?access_token=***"),
        ("sqlite:///mlflow.db", "sqlite:///mlflow.db"),
        ("write to ann@example.org", "write to ann@example.org"),
    ],
)
def test_secrets_of_urls_are_hidden_and_nothing_else(text: str, expected: str) -> None:
    assert redacted(text) == expected


@given(st.text(st.characters(exclude_characters=" \"'<>", exclude_categories=("Z", "C")), min_size=6))
def test_no_password_gets_through(password: str) -> None:
    assert f":{password}@" not in redacted(f"see postgresql://ann:{password}@db/mlflow for it")


def test_errors_hide_secrets_by_themselves() -> None:
    error = InputError("http://ann:s3cret@host", "expected an answer of http://ann:s3cret@host, found none.")
    assert str(error) == "http://***@host: expected an answer of http://***@host, found none."
    assert error.source == "http://***@host"
    assert "s3cret" not in str(RulerankError("postgresql://ann:s3cret@db"))
