"""The form that asks a browser for the token, in the style of the status page."""

from live_scoring.live.page.parts import headers_of, part, template


class LoginPage:
    """Writes the form; it needs no script.

    Attributes:
        headers: To be sent with every answer.
    """

    def __init__(self) -> None:
        """Read the template and its style."""
        style = part("page.css")
        self.headers = headers_of(style)
        self._template = template("login.html", style)

    def write(self, place: str, complaint: str = "") -> bytes:
        """The form.

        Args:
            place: The address of ours to show to whoever has the token.
            complaint: Why it is asked again; empty at first.
        """
        return self._template.render(place=place, complaint=complaint).encode(errors="replace")
