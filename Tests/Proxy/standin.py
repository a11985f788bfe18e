"""A Bluetooth proxy with heart rate straps, written with the messages of aioesphomeapi and with noiseprotocol.

It shares no code with the bridge or with the simulated proxy. Its behavior is that of ESPHome 2026.10.
"""
import asyncio
import contextlib
from collections import Counter

from aioesphomeapi.api_pb2 import (
    BluetoothConnectionsFreeResponse, BluetoothDeviceClearCacheResponse, BluetoothDeviceConnectionResponse,
    BluetoothDevicePairingResponse, BluetoothDeviceRequest, BluetoothGATTErrorResponse,
    BluetoothGATTGetServicesDoneResponse, BluetoothGATTGetServicesRequest, BluetoothGATTGetServicesResponse,
    BluetoothGATTNotifyDataResponse, BluetoothGATTNotifyRequest, BluetoothGATTNotifyResponse,
    BluetoothGATTReadRequest, BluetoothGATTReadResponse, BluetoothGATTWriteDescriptorRequest,
    BluetoothGATTWriteRequest, BluetoothGATTWriteResponse, BluetoothLERawAdvertisementsResponse,
    BluetoothScannerStateResponse, DeviceInfoRequest, DeviceInfoResponse, DisconnectRequest, DisconnectResponse,
    HelloRequest, HelloResponse, PingRequest, PingResponse, SubscribeBluetoothConnectionsFreeRequest,
    SubscribeBluetoothLEAdvertisementsRequest,
)
from aioesphomeapi.core import MESSAGE_TYPE_TO_PROTO
from cryptography.exceptions import InvalidTag
from noise.connection import NoiseConnection

NUMBERS = {message: number for number, message in MESSAGE_TYPE_TO_PROTO.items()}
NAME, MAC = "attic-proxy", "C0:FF:EE:00:00:01"
DISCONNECT, PAIR, CONNECT, CLEAR_CACHE = 1, 2, 5, 6  # request types
LOST, FAILED, ENDED_BY_US, NO_CONNECTION = 0x08, 0x85, 0x16, -1
# The handles of the strap's values and of their descriptors 2902.
RATE, LOCATION, CONTROL, CHARGE = 3, 6, 8, 11
SERVICES = [
    (0x180D, 1, [(0x2A37, RATE, 0x10), (0x2A38, LOCATION, 0x02), (0x2A39, CONTROL, 0x08)]),
    (0x180F, 9, [(0x2A19, CHARGE, 0x12)]),
]
VALUES = {LOCATION: b"\x01", CHARGE: b"\x57"}


def number(address):
    return int(address.replace(":", ""), 16)


class Plain:
    """Frames without encryption: 00, length, type, payload."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def start(self):
        pass

    async def varint(self):
        value = shift = 0
        while True:
            byte = (await self.reader.readexactly(1))[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    async def receive(self):
        assert await self.reader.readexactly(1) == b"\0", "the indicator of a plain frame"
        length, kind = await self.varint(), await self.varint()
        return kind, await self.reader.readexactly(length)

    def send(self, kind, payload):
        header = b"\0"
        for value in (len(payload), kind):
            while value > 0x7F:
                header += bytes([value & 0x7F | 0x80])
                value >>= 7
            header += bytes([value])
        self.writer.write(header + payload)


class Noise:
    """Frames with encryption; this side answers the handshake."""

    def __init__(self, reader, writer, key):
        self.reader, self.writer = reader, writer
        self.noise = NoiseConnection.from_name(b"Noise_NNpsk0_25519_ChaChaPoly_SHA256")
        self.noise.set_as_responder()
        self.noise.set_psks(key)
        self.noise.set_prologue(b"NoiseAPIInit\0\0")
        self.noise.start_handshake()

    async def body(self):
        assert await self.reader.readexactly(1) == b"\1", "the indicator of an encrypted frame"
        return await self.reader.readexactly(int.from_bytes(await self.reader.readexactly(2), "big"))

    def write(self, body):
        self.writer.write(b"\1" + len(body).to_bytes(2, "big") + body)

    async def start(self):
        assert await self.body() == b"", "the client's hello is empty"
        self.write(b"\1" + NAME.encode() + b"\0" + MAC.replace(":", "").lower().encode() + b"\0")
        handshake = await self.body()
        assert handshake[:1] == b"\0" and len(handshake) == 49, "the client's handshake"
        try:
            self.noise.read_message(handshake[1:])
        except InvalidTag:
            self.write(b"\1Handshake MAC failure")
            raise ConnectionResetError from None
        self.write(b"\0" + self.noise.write_message())

    async def receive(self):
        text = self.noise.decrypt(await self.body())
        length = int.from_bytes(text[2:4], "big")
        assert len(text) == 4 + length, "the length of the payload"
        return int.from_bytes(text[:2], "big"), text[4:]

    def send(self, kind, payload):
        self.write(self.noise.encrypt(kind.to_bytes(2, "big") + len(payload).to_bytes(2, "big") + payload))


class StandIn:
    """A proxy. Its newest subscriber receives the messages of the straps.

    Faults, each with the number of times that it applies: `refuse` a connection, `incomplete` a list of services
    without its end, `mute` a read without an answer, `extra` a second acknowledgment of a write.
    """

    def __init__(self, straps, key=None, slots=3):
        self.straps, self.key, self.limit = {number(strap) for strap in straps}, key, slots
        self.allocated = []
        self.faults = Counter()
        self.is_silent = False
        self.received = []
        # Pairs of a strap and a handle: the proxy forwards its notifications, the strap sends them.
        self.forwarded, self.notified = set(), set()
        self.failure = None
        self.clients, self.subscriber = set(), None

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        self.scan = asyncio.create_task(self.advertise())
        return self

    async def __aexit__(self, *_):
        self.scan.cancel()
        self.server.close()
        for client in self.clients:
            client.writer.close()

    def takes(self, fault):
        self.faults[fault] -= 1
        return self.faults[fault] >= 0

    # The side of the client

    async def serve(self, reader, writer):
        client = Noise(reader, writer, self.key) if self.key else Plain(reader, writer)
        self.clients.add(client)
        try:
            await client.start()
            while True:
                kind, payload = await client.receive()
                message = MESSAGE_TYPE_TO_PROTO[kind]()
                message.ParseFromString(payload)
                assert message.SerializeToString() == payload, f"other bytes than of {message!r}"
                self.received.append(message)
                self.handle(client, message)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except Exception as failure:  # noqa: BLE001 - reported by the test
            self.failure = repr(failure)
        finally:
            self.clients.discard(client)
            if self.subscriber is client:
                self.subscriber = None
                for things in (self.allocated, self.forwarded, self.notified):
                    things.clear()
            writer.close()

    def send(self, client, message):
        if client and not self.is_silent:
            with contextlib.suppress(ConnectionError):
                client.send(NUMBERS[type(message)], message.SerializeToString())

    def publish(self, message):
        self.send(self.subscriber, message)

    def send_slots(self, client):
        self.send(client, BluetoothConnectionsFreeResponse(
            free=self.limit - len(self.allocated), limit=self.limit, allocated=self.allocated))

    def handle(self, client, message):
        match message:
            case HelloRequest():
                assert message.api_version_major == 1 and message.api_version_minor >= 12, message
                self.send(client, HelloResponse(
                    api_version_major=1, api_version_minor=19, server_info="2026.10.0", name=NAME))
            case DeviceInfoRequest():
                self.send(client, DeviceInfoResponse(
                    name=NAME, mac_address=MAC, esphome_version="2026.10.0", bluetooth_proxy_feature_flags=255))
            case PingRequest():
                self.send(client, PingResponse())
            case DisconnectRequest():
                self.send(client, DisconnectResponse())
                client.writer.close()
            case SubscribeBluetoothConnectionsFreeRequest():
                self.send_slots(client)
            case SubscribeBluetoothLEAdvertisementsRequest(flags=1):
                self.subscriber = client
                self.publish(BluetoothScannerStateResponse(state=2, mode=1, configured_mode=1))
            case BluetoothDeviceRequest():
                self.handle_request(message)
            case PingResponse() | DisconnectResponse():
                pass
            case _:
                self.handle_value(message)

    # The side of the straps

    async def advertise(self):
        """Sends the flags, the service and the name of each strap that is not connected."""
        data = bytes.fromhex("020106 03030d18 06") + b"\x09strap"
        while True:
            batch = BluetoothLERawAdvertisementsResponse()
            for strap in self.straps.difference(self.allocated):
                batch.advertisements.add(address=strap, rssi=-60, address_type=1, data=data)
            if batch.advertisements:
                self.publish(batch)
            await asyncio.sleep(0.2)

    def handle_request(self, message):
        strap = message.address
        answer = BluetoothDeviceConnectionResponse(address=strap)
        if message.request_type == CONNECT:
            assert message.has_address_type and message.address_type == 1, message
            # Without a free slot, the error is 0.
            if len(self.allocated) < self.limit and self.takes("refuse"):
                answer.error = FAILED
            elif len(self.allocated) < self.limit:
                self.allocated.append(strap)
                answer = BluetoothDeviceConnectionResponse(address=strap, connected=True, mtu=247)
            self.publish(answer)
            self.send_slots(self.subscriber)
        elif message.request_type == DISCONNECT:
            self.lose(strap, ENDED_BY_US if strap in self.allocated else 0)
        elif message.request_type == PAIR:
            self.publish(BluetoothDevicePairingResponse(address=strap, paired=strap in self.allocated))
        else:
            assert message.request_type == CLEAR_CACHE, message
            self.publish(BluetoothDeviceClearCacheResponse(address=strap, success=True))

    def lose(self, strap, error=LOST):
        """Ends the connection to a strap."""
        if strap in self.allocated:
            self.allocated.remove(strap)
        for pairs in (self.forwarded, self.notified):
            pairs.difference_update([(strap, RATE), (strap, CHARGE)])
        self.publish(BluetoothDeviceConnectionResponse(address=strap, error=error))
        self.send_slots(self.subscriber)

    def notify(self, strap, handle, value):
        if (strap, handle) in self.notified & self.forwarded:
            self.publish(BluetoothGATTNotifyDataResponse(address=strap, handle=handle, data=value))

    def handle_value(self, message):
        strap = message.address
        if strap not in self.allocated:
            return self.publish(BluetoothGATTErrorResponse(
                address=strap, handle=getattr(message, "handle", 0), error=NO_CONNECTION))
        match message:
            case BluetoothGATTGetServicesRequest():
                for uuid, handle, characteristics in SERVICES:
                    part = BluetoothGATTGetServicesResponse(address=strap)
                    service = part.services.add(short_uuid=uuid, handle=handle)
                    for uuid, handle, properties in characteristics:
                        item = service.characteristics.add(short_uuid=uuid, handle=handle, properties=properties)
                        if properties & 0x10:
                            item.descriptors.add(short_uuid=0x2902, handle=handle + 1)
                    self.publish(part)
                if not self.takes("incomplete"):
                    self.publish(BluetoothGATTGetServicesDoneResponse(address=strap))
            case BluetoothGATTReadRequest():
                if not self.takes("mute"):
                    self.publish(BluetoothGATTReadResponse(
                        address=strap, handle=message.handle, data=VALUES[message.handle]))
            case BluetoothGATTNotifyRequest(enable=True):
                self.forwarded.add((strap, message.handle))
                self.publish(BluetoothGATTNotifyResponse(address=strap, handle=message.handle))
            case BluetoothGATTWriteDescriptorRequest():
                # A strap notifies from here on, before the answer.
                assert message.handle in (RATE + 1, CHARGE + 1) and message.data == b"\1\0", message
                self.notified.add((strap, message.handle - 1))
                self.notify(strap, message.handle - 1, b"\x06\x3c" if message.handle == RATE + 1 else VALUES[CHARGE])
                self.acknowledge(message)
            case BluetoothGATTWriteRequest():
                assert (message.handle, message.data) == (CONTROL, b"\1"), message
                self.acknowledge(message)
            case _:
                raise AssertionError(message)

    def acknowledge(self, message):
        for _ in range(2 if self.takes("extra") else 1):
            self.publish(BluetoothGATTWriteResponse(address=message.address, handle=message.handle))
