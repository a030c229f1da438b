"""The tools that the agent is offered. A scripted agent brings its own calls, so nothing here is started for it."""


def lookup(row: str, year: int, filters: dict | None = None) -> float:
    """One figure of a filing, in the unit of its table."""
    raise NotImplementedError("connect your own store of filings here")


def search_filings(query: str) -> list[str]:
    """Passages of the filings that are about the query."""
    raise NotImplementedError("connect your own search here")


def add(values: list[float]) -> float:
    return sum(values)


def subtract(a: float, b: float) -> float:
    return a - b


def divide(a: float, b: float) -> float:
    return a / b
