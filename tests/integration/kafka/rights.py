"""Grants rights on a cluster whose authorizer refuses what nobody granted, and takes them away."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.protocol.admin import CreateAclsRequest, DeleteAclsRequest

Kind = Literal["topic", "group", "cluster"]
Operation = Literal["Read", "Write", "Create", "Describe", "DescribeConfigs"]

_KINDS: dict[Kind, int] = {"topic": 2, "group": 3, "cluster": 4}
_OPERATIONS: dict[Operation, int] = {
    "Read": 3,
    "Write": 4,
    "Create": 5,
    "Describe": 8,
    "DescribeConfigs": 10,
}
_LITERAL, _PREFIXED, _ALLOW = 3, 4, 3


class Right(NamedTuple):
    """What may be done to a topic or a group; one whose name ends in `*` is a prefix."""

    operation: Operation
    kind: Kind
    name: str

    def rule_for(self, user: str) -> tuple[int, str, int, str, str, int, int]:
        """As a request of Kafka's tells it."""
        return (
            _KINDS[self.kind],
            self.name.removesuffix("*"),
            _PREFIXED if self.name.endswith("*") else _LITERAL,
            f"User:{user}",
            "*",
            _OPERATIONS[self.operation],
            _ALLOW,
        )


def grant(address: str, user: str, rights: Iterable[Right]) -> None:
    """Grant rights, and wait until the cluster has taken note of them."""
    requests = [CreateAclsRequest(*right.rule_for(user)) for right in rights]
    _ask(address, requests, lambda response: response.creation_responses)


def revoke(address: str, user: str, *rights: Right) -> None:
    """Take rights away that were granted just so."""
    requests = [DeleteAclsRequest(*right.rule_for(user)) for right in rights]
    _ask(address, requests, lambda response: [r[:2] for r in response.filter_responses if r[2]])


def _ask(
    address: str, requests: Iterable[Any], answers: Callable[[Any], list[tuple[int, str | None]]]
) -> None:
    async def ask() -> None:
        admin = AIOKafkaAdminClient(bootstrap_servers=address)
        await admin.start()
        try:
            for request in requests:
                response = await admin._send_to_controller(request)  # noqa: SLF001 -- has no call for it
                ((code, message),) = answers(response)
                assert code == 0, message
        finally:
            await admin.close()

    asyncio.run(ask())
