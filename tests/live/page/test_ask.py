"""Addresses of the status page, read and written."""

import pytest

from live_scoring.live.page.ask import Ask


def test_an_address_without_a_query_asks_for_all() -> None:
    assert Ask.of({}) == Ask("", None, 1)


def test_a_query_names_a_part_of_the_agents() -> None:
    asked = Ask.of({"q": " refund ", "state": "failed", "page": "3"})
    assert asked == Ask("refund", "failed", 3)


@pytest.mark.parametrize("page", ["0", "-1", "x", "1.5", "٣", "9" * 50, ""])
def test_a_page_that_is_none_is_the_first(page: str) -> None:
    assert Ask.of({"page": page}).page == 1


def test_a_state_that_is_none_is_every_state() -> None:
    assert Ask.of({"state": "broken"}).state is None


def test_a_query_is_cut_at_a_length_nobody_types() -> None:
    assert len(Ask.of({"q": "x" * 10_000}).q) == 200


def test_a_link_keeps_the_query_and_names_what_differs_from_the_first_page() -> None:
    asked = Ask("a&b=ü", None, 2)
    assert asked.link("failed") == "?q=a%26b%3D%C3%BC&state=failed"
    assert asked.link(None, 3) == "?q=a%26b%3D%C3%BC&page=3"
    assert Ask().link(None) == "?"
