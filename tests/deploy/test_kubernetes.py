"""The manifests of deploy/kubernetes, built by kustomize and held to their schemas."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from live_scoring.config import load_config
from tests.deploy.tools import ROOT, run

FOLDER = ROOT / "deploy/kubernetes"
RULES = ROOT / "deploy/prometheus/rules"
ALERTING = FOLDER / "base/prometheus-rule.yaml"
PACKAGES = {
    "keda.sh": "@kubernetes-models/keda",
    "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
}
Manifest = dict[str, Any]


@pytest.fixture(scope="module", params=["base", "overlays/production", "overlays/mutual-tls"])
def manifests(request: pytest.FixtureRequest, kustomize: Path) -> list[Manifest]:
    built = run([kustomize, "build", FOLDER / request.param])
    assert (built.returncode, built.stderr) == (0, "")
    return list(yaml.safe_load_all(built.stdout))


def one(manifests: list[Manifest], kind: str) -> Manifest:
    (found,) = (manifest for manifest in manifests if manifest["kind"] == kind)
    return found


def complaints(manifests: list[Manifest], models: Path, folder: Path) -> str:
    """What a compiler that knows every field, and the schemas, say of manifests."""
    (folder / "node_modules").symlink_to(models / "node_modules")
    (folder / "manifests.mts").write_text("\n".join(lines_of_typescript(manifests)))
    strictly = ["--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext"]
    compiled = run([models / "node_modules/.bin/tsc", *strictly, "manifests.mts"], folder=folder)
    validated = run(["node", "manifests.mjs"], folder=folder)
    return compiled.stdout + validated.stderr


def lines_of_typescript(manifests: list[Manifest]) -> Iterator[str]:
    for number, manifest in enumerate(manifests):
        group, kind = manifest["apiVersion"], manifest["kind"]
        package = PACKAGES.get(group.partition("/")[0], "kubernetes-models")
        fields = {
            key: value for key, value in manifest.items() if key not in {"apiVersion", "kind"}
        }
        yield f'import {{ {kind} as Kind{number} }} from "{package}/{group}/{kind}";'
        yield f"new Kind{number}({json.dumps(fields)}).validate();"


def test_each_manifest_has_the_fields_of_its_schema_and_no_other(
    manifests: list[Manifest], kubernetes_models: Path, tmp_path: Path
) -> None:
    assert complaints(manifests, kubernetes_models, tmp_path) == ""


def test_a_field_that_no_schema_has_is_told(
    manifests: list[Manifest], kubernetes_models: Path, tmp_path: Path
) -> None:
    monitor = json.loads(json.dumps(one(manifests, "PodMonitor")))
    monitor["spec"]["podMetricsEndpoints"][0]["intervall"] = "15s"
    scaler = json.loads(json.dumps(one(manifests, "ScaledObject")))
    scaler["spec"]["maxReplicaCount"] = "8"
    told = complaints([monitor, scaler], kubernetes_models, tmp_path)
    assert "'\"intervall\"' does not exist in type" in told
    assert "maxReplicaCount must be integer" in told


def test_the_pod_is_what_the_restricted_standard_asks_for(manifests: list[Manifest]) -> None:
    pod = one(manifests, "Deployment")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }


def lay_out(manifests: list[Manifest], folder: Path) -> dict[str, str]:
    """Put the files that a pod mounts into a folder, and give its environment."""
    maps = {m["metadata"]["name"]: m["data"] for m in manifests if m["kind"] == "ConfigMap"}
    pod = one(manifests, "Deployment")["spec"]["template"]["spec"]
    volumes = {v["name"]: maps[v["configMap"]["name"]] for v in pod["volumes"] if "configMap" in v}
    (container,) = pod["containers"]
    for mount in container["volumeMounts"]:
        if mount["name"] not in volumes:
            continue
        place = folder / Path(mount["mountPath"]).relative_to("/etc/live-scoring")
        if "subPath" in mount:
            place.write_text(volumes[mount["name"]][mount["subPath"]])
        else:
            place.mkdir()
            for name, text in volumes[mount["name"]].items():
                (place / name).write_text(text)
    environment: dict[str, str] = maps[container["envFrom"][0]["configMapRef"]["name"]]
    return environment


def mount_secrets(
    environment: dict[str, str], manifests: list[Manifest], folder: Path
) -> dict[str, str]:
    """Write the files of Secrets that a pod mounts; the variables that name them lead there."""
    pod = one(manifests, "Deployment")["spec"]["template"]["spec"]
    secrets = {v["name"] for v in pod["volumes"] if "secret" in v}
    places = [m["mountPath"] for m in pod["containers"][0]["volumeMounts"] if m["name"] in secrets]
    named = {k: v for k, v in environment.items() if v.startswith("/")}
    assert all(any(v.startswith(f"{p}/") for p in places) for v in named.values())
    for name, place in named.items():
        written = folder / Path(place).name
        written.write_text("a-secret-of-some-length")
        environment[name] = str(written)
    return environment


def test_the_mounted_configuration_can_be_used(manifests: list[Manifest], tmp_path: Path) -> None:
    environment = mount_secrets(lay_out(manifests, tmp_path), manifests, tmp_path)
    if "LIVE_SCORING_KAFKA__SASL_MECHANISM" in environment:  # then the Secret has the login
        environment |= {f"LIVE_SCORING_KAFKA__SASL_{x}": "x" for x in ("USERNAME", "PASSWORD")}
    worker = load_config(tmp_path, environment).worker
    scaler = one(manifests, "ScaledObject")["spec"]
    trigger = scaler["triggers"][0]["metadata"]
    assert worker.kafka.bootstrap_servers == trigger["bootstrapServers"]
    assert worker.kafka.group_id == trigger["consumerGroup"]
    assert trigger["topic"] in worker.topics.runs
    assert scaler["maxReplicaCount"] == worker.topics.partitions


def test_everything_selects_the_pods_of_the_deployment(manifests: list[Manifest]) -> None:
    labels = one(manifests, "Deployment")["spec"]["template"]["metadata"]["labels"]
    for kind in ("PodMonitor", "PodDisruptionBudget"):
        assert one(manifests, kind)["spec"]["selector"]["matchLabels"].items() <= labels.items()
    policy = one(manifests, "NetworkPolicy")["spec"]
    assert policy["podSelector"]["matchLabels"].items() <= labels.items()


def test_the_alerts_are_those_of_prometheus(is_updating: bool) -> None:
    files = sorted(RULES.glob("*.yml"))
    groups = [g for path in files for g in yaml.safe_load(path.read_text())["groups"]]
    rule = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "live-scoring"},
        "spec": {"groups": groups},
    }
    origin = (
        "# Made of deploy/prometheus/rules by `pytest tests/deploy --update-golden`; edit those.\n"
    )
    text = origin + yaml.safe_dump(rule, sort_keys=False, width=110)
    if is_updating:
        ALERTING.write_text(text)
    assert ALERTING.read_text() == text
