from __future__ import annotations

import time

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
        ("postgresql://db/x?sslpassword=a&sslmode=on", "postgresql://db/x?sslpassword=***&sslmode=on"),
        ("mysql://db/x?ssl_key_password=a%3Bb&y=1", "mysql://db/x?ssl_key_password=***&y=1"),
        ("https://host/x?X-Amz-Security-Token=a&v=1", "https://host/x?X-Amz-Security-Token=***&v=1"),
        ("UID%3Dann%3BPWD%3Ds3cret", "UID%3D***%3BPWD%3D***"),
        ("?x=DRIVER%3Dy%3bUid%3dann%3bpwd%3da%253Bb&z=1", "?x=DRIVER%3Dy%3bUid%3d***%3bpwd%3d***&z=1"),
        ("mssql+pyodbc:///?odbc_connect=PWD%3D%7Ba%3Bb%7D&z=1", "mssql+pyodbc:///?odbc_connect=***&z=1"),
        ("DRIVER={y};UID=ann;PWD={a;b};DATABASE=x", "DRIVER={y};UID=***;PWD=***;DATABASE=x"),
        ("mssql://db/x?driver=y&tokens=7&sslkey=me.key", "mssql://db/x?driver=y&tokens=7&sslkey=me.key"),
        ("postgresql://ann:pa ss3cret@db/x", "postgresql://***@db/x"),
        ("postgresql://ann:pa'ss\"3cret@db/x", "postgresql://***@db/x"),
        ("http://host:8080: found none, ask bob@x", "http://host:8080: found none, ask bob@x"),
        ("Ask 'http://host:8080': or bob@x", "Ask 'http://host:8080': or bob@x"),
        ("http://host/v1?api-key=abc", "http://host/v1?api-key=***"),
        (
            "http://host/v1?x-api-key=a&subscription-key=b",
            "http://host/v1?x-api-key=***&subscription-key=***",
        ),
        ("http://host/#access_token=abc", "http://host/#access_token=***"),
        ("sqlite:///mlflow.db", "sqlite:///mlflow.db"),
        ("write to ann@example.org", "write to ann@example.org"),
    ],
)
def test_secrets_of_urls_are_hidden_and_nothing_else(text: str, expected: str) -> None:
    assert redacted(text) == expected


@given(st.text(st.characters(exclude_characters=" \"'<>", exclude_categories=("Z", "C")), min_size=6))
def test_no_password_gets_through(password: str) -> None:
    assert f":{password}@" not in redacted(f"see postgresql://ann:{password}@db/mlflow for it")


@pytest.mark.parametrize(
    "part", ["://", "?", "?a", ";pwd={", "%3Bpwd", "%3Dpwd%3D", "password", "%25", "=user=", "pwd%3D%3"]
)
def test_hostile_text_takes_time_in_proportion_to_its_length(part: str) -> None:
    start = time.process_time()
    redacted(part * 100_000)
    assert time.process_time() - start < 5


def test_errors_hide_secrets_by_themselves() -> None:
    error = InputError("http://ann:s3cret@host", "expected an answer of http://ann:s3cret@host, found none.")
    assert str(error) == "http://***@host: expected an answer of http://***@host, found none."
    assert error.source == "http://***@host"
    assert "s3cret" not in str(RulerankError("postgresql://ann:s3cret@db"))
