"""Grants rights on a cluster whose authorizer refuses what nobody granted."""

import asyncio
from collections.abc import Iterable
from typing import Literal, NamedTuple

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.protocol.admin import CreateAclsRequest

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


def grant(address: str, user: str, rights: Iterable[Right]) -> None:
    """Grant rights, and wait until the cluster has taken note of them."""

    async def ask() -> None:
        admin = AIOKafkaAdminClient(bootstrap_servers=address)
        await admin.start()
        try:
            for operation, kind, name in rights:
                pattern = _PREFIXED if name.endswith("*") else _LITERAL
                request = CreateAclsRequest(
                    _KINDS[kind],
                    name.removesuffix("*"),
                    pattern,
                    f"User:{user}",
                    "*",
                    _OPERATIONS[operation],
                    _ALLOW,
                )
                response = await admin._send_to_controller(request)  # noqa: SLF001 -- has no call for it
                ((code, message),) = response.creation_responses
                assert code == 0, message
        finally:
            await admin.close()

    asyncio.run(ask())
