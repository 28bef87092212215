from tests.benchmarks.figures import Figures, median_of


def test_each_figure_is_the_median_of_its_own() -> None:
    measured = [Figures(3, 30, 1), Figures(1, 10, 3), Figures(2, 50, 2)]
    assert median_of(measured) == Figures(2, 30, 2)


def test_a_figure_that_some_rounds_lack_is_the_median_of_the_others() -> None:
    assert median_of([Figures(1, 10), Figures(3), Figures(2)]) == Figures(2, 10, None)
