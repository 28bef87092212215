"""Writes the dashboards and alert rules where Grafana's provisioning reads them."""

from deploy.grafana.generate import alerts
from deploy.grafana.generate.dashboards import DASHBOARDS, FOLDER, rendered


def main() -> None:
    """Write every dashboard, and the alert rules."""
    alerts.TARGET.write_text(alerts.rendered(), encoding="utf-8")
    FOLDER.mkdir(exist_ok=True)
    for name in DASHBOARDS:
        (FOLDER / name).write_text(rendered(name), encoding="utf-8")


if __name__ == "__main__":
    main()
