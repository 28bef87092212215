"""What Grafana documents of the files that provision its alerting: required fields, no others."""

# ruff: noqa: N815 -- the names are Grafana's

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Length = Annotated[str, Field(pattern=r"^(\d+[smhd])+$")]
Uid = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,40}$")]
Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Range(_Part):
    from_: Annotated[int, Field(alias="from")]
    to: int


class Query(_Part):
    refId: Text
    relativeTimeRange: Range | None = None
    datasourceUid: Text
    model: dict[str, Any]


class Rule(_Part):
    uid: Uid
    title: Text
    condition: Text
    data: Annotated[list[Query], Field(min_length=1)]
    noDataState: Literal["NoData", "Alerting", "OK", "KeepLast"]
    execErrState: Literal["Error", "Alerting", "OK", "KeepLast"]
    for_: Annotated[Length, Field(alias="for")]
    keepFiringFor: Length
    missing_series_evals_to_resolve: Annotated[int, Field(ge=1)]
    labels: dict[str, str]
    annotations: dict[str, str]


class RuleGroup(_Part):
    orgId: int
    name: Text
    folder: Text
    interval: Length
    rules: list[Rule]


class ProvisionedAlerts(_Part):
    """A file of alert rules."""

    apiVersion: Literal[1]
    groups: list[RuleGroup]


class Receiver(_Part):
    uid: Uid
    type: Literal["webhook"]
    settings: dict[str, str]


class ContactPoint(_Part):
    orgId: int
    name: Text
    receivers: list[Receiver]


class Policy(_Part):
    receiver: Text
    object_matchers: list[tuple[str, Literal["=", "!=", "=~", "!~"], str]] = []
    group_by: list[str] = []
    group_wait: Length
    group_interval: Length = "5m"
    repeat_interval: Length
    routes: "list[Policy]" = []


class RootPolicy(Policy):
    orgId: int


class ProvisionedNotifications(_Part):
    """A file of contact points and the policies that lead to them."""

    apiVersion: Literal[1]
    contactPoints: list[ContactPoint]
    policies: list[RootPolicy]
