"""The program that a developer would write without the bridge: bleak and paho-mqtt, as their documentation shows them.

usage: peer.py BROKER-PORT DEVICES (the bus comes from DBUS_SYSTEM_BUS_ADDRESS)
"""

import asyncio
import json
import sys

import paho.mqtt.client as mqtt
from bleak import BleakClient
from bleak.backends.device import BLEDevice

TAPS = "c3ff0005-1d8b-40fd-a56f-c7bd5d0f3370"
HAPTICS = "c3ff0009-1d8b-40fd-a56f-c7bd5d0f3370"


async def main() -> None:
    port, count = int(sys.argv[1]), int(sys.argv[2])
    loop = asyncio.get_running_loop()
    clients: dict[str, BleakClient] = {}

    def commanded(_client, _context, message) -> None:
        """Runs on the thread of the MQTT client."""
        name = message.topic.split("/")[1]
        steps = bytes(duration // 10 for duration in json.loads(message.payload))
        value = b"\x00\x02" + steps + bytes(18 - len(steps))
        if client := clients.get(name):
            asyncio.run_coroutine_threadsafe(client.write_gatt_char(HAPTICS, value, response=True), loop)

    broker = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    broker.max_inflight_messages_set(200)
    broker.max_queued_messages_set(0)
    broker.on_message = commanded
    broker.connect("127.0.0.1", port)
    broker.subscribe("tap/+/vibrate/set", qos=1)
    broker.loop_start()

    def receiver(name: str):
        topic, sequence = f"tap/{name}/tapped", 0

        def received(_characteristic, value: bytearray) -> None:
            nonlocal sequence
            sequence += 1
            broker.publish(topic, json.dumps({"combination": value[0], "seq": sequence}), qos=1)

        return received

    for number in range(count):
        address = f"D7:A9:E0:8C:{number >> 8:02X}:{number & 0xFF:02X}"
        path = "/org/bluez/hci0/dev_" + address.replace(":", "_")
        name = address.replace(":", "")[6:].lower()
        # The host has already connected the devices, so no scan is needed.
        client = BleakClient(BLEDevice(address, "Tap", {"path": path}))
        await client.connect()
        clients[name] = client
        # Uses signals, as the bridge and the floor do.
        await client.start_notify(TAPS, receiver(name), bluez={"use_start_notify": True})
    await asyncio.Event().wait()


asyncio.run(main())
