"""Grafana's dashboards, described once: `python -m deploy.grafana.generate` writes their JSON."""
