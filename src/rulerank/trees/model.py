"""A LightGBM model at run time."""

from __future__ import annotations

import ctypes
from functools import cached_property
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray
from rulerank.errors import InputError, RulerankError
from rulerank.trees.library import call, library, pointer
from rulerank.trees.nodes import Nodes, read_nodes
from rulerank.trees.paths import path_contributions

RAW, LEAVES, CONTRIBUTIONS = 1, 2, 3
"""Kinds of prediction: C_API_PREDICT_RAW_SCORE, C_API_PREDICT_LEAF_INDEX and C_API_PREDICT_CONTRIB."""
FLOAT32 = 0
"""C_API_DTYPE_FLOAT32."""
GRAPH = ".onnx"
"""Suffix of a model's graph, which is next to its text."""

GAIN = 1
"""C_API_FEATURE_IMPORTANCE_GAIN."""


class Trees:
    """A LightGBM model.

    Parameters
    ----------
    text : str
        The model as LightGBM writes it.
    graph : bytes, optional
        The same model from `rulerank.trees.graph`; with it, rows are scored in a third of the time.

    Raises
    ------
    RulerankError
        The text is not a model, or only part of one.

    """

    def __init__(self, text: str, graph: bytes | None = None) -> None:
        _check_whole(text)
        self.text = text
        self._session = None if graph is None else _session(graph)

    def __del__(self) -> None:
        if "handle" in self.__dict__:
            library().LGBM_BoosterFree(self.handle)

    @cached_property
    def handle(self) -> ctypes.c_void_p:
        """The model as a handle of the C API, created on first use."""
        handle = ctypes.c_void_p()
        call(
            "LGBM_BoosterLoadModelFromString",
            self.text.encode(),
            ctypes.byref(ctypes.c_int()),
            ctypes.byref(handle),
        )
        return handle

    @property
    def rounds(self) -> int:
        """The number of trees in the model."""
        return self.text.count("\nTree=")

    @classmethod
    def read(cls, path: Path) -> Trees:
        """Read a model that LightGBM wrote, and its graph if there is one next to it.

        Raises
        ------
        InputError
            The file holds something else, or the two do not fit together.

        """
        graph = path.with_suffix(GRAPH)
        try:
            return cls(path.read_text(encoding="utf-8"), graph.read_bytes() if graph.is_file() else None)
        except RulerankError as error:
            raise InputError(path, str(error)) from error

    @cached_property
    def names(self) -> list[str]:
        """The columns that the model reads, in order."""
        line = next(line for line in self.text.splitlines() if line.startswith("feature_names="))
        return line.removeprefix("feature_names=").split()

    @cached_property
    def thresholds(self) -> list[DoubleArray]:
        """The distinct thresholds of the splits on each column, ascending."""
        columns = _numbers(self.text, "split_feature=").astype(np.int64)
        values = _numbers(self.text, "threshold=")
        return [np.unique(values[columns == column]) for column in range(len(self.names))]

    @cached_property
    def nodes(self) -> Nodes:
        """The nodes of all trees."""
        return read_nodes(self.text)

    @property
    def gains(self) -> DoubleArray:
        """What the splits on each column gained in training, shape (columns,)."""
        gains = np.zeros(len(self.names))
        call(
            "LGBM_BoosterFeatureImportance",
            self.handle,
            ctypes.c_int(0),
            ctypes.c_int(GAIN),
            pointer(gains),
        )
        return gains

    def scores(self, matrix: NDArray[np.float32], threads: int = 1) -> DoubleArray:
        """Score rows.

        Parameters
        ----------
        matrix : array of shape (rows, columns)
            Columns as `names`; NaN if a value is missing.
        threads : int, optional (default=1)
            On the few hundred rows of one question, a second thread costs more than it saves.

        """
        if self._session is None:
            return self._predict(matrix, RAW, 1, threads)[:, 0]
        self._check_width(matrix)
        (found,) = self._session.run(None, {"rows": np.ascontiguousarray(matrix, np.float32)})
        scores: DoubleArray = np.asarray(found, np.float64)[:, 0]
        return scores

    def leaves(self, matrix: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the number of the leaf that each row reaches in each tree, shape (rows, trees)."""
        return self._predict(matrix, LEAVES, self.rounds, 1).astype(np.int64)

    def contributions(self, matrix: NDArray[np.float32], threads: int = 1) -> DoubleArray:
        """Return what each column added to the score of each row (SHAP values), shape of `matrix`."""
        return self._predict(matrix, CONTRIBUTIONS, len(self.names) + 1, threads)[:, :-1]

    def path_contributions(self, matrix: NDArray[np.float32]) -> DoubleArray:
        """Return the contributions along the paths that the rows take, which is a hundred times faster."""
        self._check_width(matrix)
        return path_contributions(self.nodes, matrix)

    def _predict(self, matrix: NDArray[np.float32], kind: int, width: int, threads: int) -> DoubleArray:
        self._check_width(matrix)
        result = np.empty((len(matrix), width))
        if not len(matrix):
            return result
        by_row = matrix.flags.c_contiguous or not matrix.flags.f_contiguous
        rows = np.asarray(matrix, np.float32, order="C" if by_row else "F")
        call(
            "LGBM_BoosterPredictForMat",
            self.handle,
            pointer(rows),
            ctypes.c_int(FLOAT32),
            ctypes.c_int32(len(rows)),
            ctypes.c_int32(rows.shape[1]),
            ctypes.c_int(int(by_row)),
            ctypes.c_int(kind),
            ctypes.c_int(0),
            ctypes.c_int(-1),
            f"num_threads={threads} verbosity=-1".encode(),
            ctypes.byref(ctypes.c_int64()),
            pointer(result),
        )
        return result

    def _check_width(self, matrix: NDArray[np.float32]) -> None:
        if matrix.ndim != 2 or matrix.shape[1] != len(self.names):
            raise ValueError(f"expected rows of {len(self.names)} columns, found an array of {matrix.shape}")


def _session(graph: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _check_whole(text: str) -> None:
    """Refuse a truncated model, which would make LightGBM end the whole process."""
    sizes = (line.removeprefix("tree_sizes=") for line in text.splitlines() if line.startswith("tree_sizes="))
    expected = sum(map(int, next(sizes, "").split()))
    begin, end = text.find("Tree=0"), text.find("end of trees")
    if not 0 < expected == end - begin:
        raise RulerankError(
            "expected a complete model as LightGBM writes it, found other text or a truncated model. "
            "Run `dvc repro`, or copy the model again."
        )


def _numbers(text: str, key: str) -> DoubleArray:
    """Return the numbers after a key in all trees of a model."""
    lines = (line.removeprefix(key) for line in text.splitlines() if line.startswith(key))
    return np.array([float(number) for line in lines for number in line.split()])
