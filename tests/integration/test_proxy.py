import gc
import socket
import threading
from contextlib import suppress

import pytest

from tests.integration.lab import free_port
from tests.integration.proxy import HOST, Proxy


def test_a_proxy_that_is_cut_while_clients_connect_leaves_no_connection_open() -> None:
    """What it left open would be a failure of the test that runs when it is collected."""
    is_over = threading.Event()
    with (
        socket.create_server((HOST, 0)) as target,
        Proxy(free_port(), target.getsockname()[1]) as proxy,
    ):

        def connect() -> None:
            while not is_over.is_set():
                with suppress(OSError), socket.create_connection((HOST, proxy.port), 1) as client:
                    client.send(b"x")

        clients = [threading.Thread(target=connect) for _ in range(4)]
        for client in clients:
            client.start()
        for _ in range(50):
            proxy.cut()
            proxy.restore()
        is_over.set()
        for client in clients:
            client.join()
    gc.collect()


def test_a_proxy_passes_on_until_it_is_cut_and_after_it_is_restored() -> None:
    with (
        socket.create_server((HOST, 0)) as target,
        Proxy(free_port(), target.getsockname()[1]) as proxy,
    ):
        for _ in range(2):
            with socket.create_connection((HOST, proxy.port)) as client:
                behind, _ = target.accept()
                with behind:
                    client.sendall(b"asked")
                    assert behind.recv(5) == b"asked"
                    behind.sendall(b"told")
                    assert client.recv(4) == b"told"
                    proxy.is_mute = True
                    behind.sendall(b"lost")
                    proxy.cut()
                    assert is_ended(behind)
                    assert is_ended(client)
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((HOST, proxy.port))
            proxy.is_mute = False
            proxy.restore()


def is_ended(connection: socket.socket) -> bool:
    try:
        return connection.recv(4) == b""
    except ConnectionResetError:  # something was on its way
        return True
