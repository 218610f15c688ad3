"""Errors of the libraries that models need here, as users are told of them."""

from __future__ import annotations

from plumbline.records.errors import PlumblineError


def missing_libraries(error: ImportError) -> PlumblineError:
    return PlumblineError(
        f"a model on this machine needs a library that is not installed ({error.name or error})",
        do="pip install torch==2.13.0, which is small, and then 'plumbline[embedded]'",
    )


def first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
