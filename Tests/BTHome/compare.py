"""Compares the device file of BTHome with bthome-ble (PyPI). See Tests/BTHome/run.

Makes random packets, decodes them with bthome-ble, and writes a copy of the device file whose examples expect these
values. `tactile-bridge check-device` runs the examples.

The packets avoid what the two decoders treat differently on purpose:
* More occurrences of a kind than the file names (four, or one): the file ignores the others.
* Two units of one quantity in one packet, such as kilograms and pounds: bthome-ble keeps only the last of them.
* An empty text or raw value: bthome-ble ignores it, and the file publishes it.
* Codes of buttons without a name: the file publishes `other`, and bthome-ble nothing.
* The packet number, the time and the versions of the device, and the arguments of a remote control's command: the file
  does not publish them.
* A half is rounded away from zero by the file, and to the even digit by bthome-ble (only 0x58, a factor of 0.35).
* The flag for an address in the packet, which the present format reserves.

usage: compare.py PROGRAM SEED
"""

import json
import logging
import random
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import yaml
from bthome_ble.const import MEAS_TYPES
from bthome_ble.parser import BTHomeBluetoothDeviceData
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

FILE = Path(__file__).resolve().parents[2] / "config/devices/bthome.yaml"
SERVICE = "0000fcd2-0000-1000-8000-00805f9b34fb"
PLAIN, ENCRYPTED = 100, 100
# The codes of events that both decoders know.
CODES = {"button": [1, 2, 3, 4, 5, 6, 0x80, 0x81], "dimmer": [1, 2], "command": [0, 1, 2, 3, 4]}


class Objects:
    """The objects of the device file: for each id, the published field and how often it may occur."""

    def __init__(self, file):
        self.features = {
            field: name for name, feature in file["features"].items() for field in feature["take"]}
        tags = file["packets"]["objects"][1]["of"]
        self.fields, self.times = {}, {}
        for number, items in tags.items():
            for item in items:
                name = next(iter(item))
                if not name.startswith("_"):
                    self.fields[number], self.times[number] = name, item.get("times", 1)
                    break


def kind(number):
    """Whether an object is a sensor, a binary sensor or an event, and its key in bthome-ble."""
    meaning = MEAS_TYPES[number].meas_format
    if isinstance(meaning, str):
        return "event", str(meaning)
    name = type(meaning).__name__
    return "binary" if "Binary" in name else "sensor", str(meaning.device_class)


def value_of(number, source):
    """Random bytes of an object."""
    meaning = MEAS_TYPES[number]
    what, key = kind(number)
    if meaning.data_format == "string":
        text = "".join(source.choice("abc xyz é°09") for _ in range(source.randint(1, 6))).encode()
        return bytes([len(text)]) + text
    if meaning.data_format == "raw":
        data = source.randbytes(source.randint(1, 6))
        return bytes([len(data)]) + data
    if what == "event":
        code = bytes([source.choice(CODES[key])])
        if key == "command":
            rest = source.randbytes(source.randrange(4))
            return bytes([len(rest)]) + code + rest
        return code + (source.randbytes(1) if key == "dimmer" else b"")
    while True:
        data = source.randbytes(meaning.data_length)
        # A half of the last digit is rounded differently.
        if meaning.factor != 0.35 or (int.from_bytes(data, "little", signed=True) * 35) % 10 != 5:
            return data


def payload(source, objects):
    """Random objects, sometimes with a number, an unknown id or a missing byte."""
    data = bytes([0, source.randrange(256)]) if source.random() < 0.3 else b""
    counts, units = {}, {}
    for _ in range(source.randint(1, 6)):
        number = source.choice([n for n in MEAS_TYPES if n in objects.fields])
        what, key = kind(number)
        count = counts.get((what, key), 0)
        unit = getattr(MEAS_TYPES[number].meas_format, "native_unit_of_measurement", None)
        if count >= objects.times[number] or units.setdefault((what, key), unit) != unit:
            continue
        counts[what, key] = count + 1
        data += bytes([number]) + value_of(number, source)
    end = source.random()
    return data + b"\xee\x01" if end < 0.1 else data[:-1] if end < 0.2 else data


def decoded(address, packet, key, objects):
    """The values that bthome-ble reads, by the features and fields of the device file."""
    device = BTHomeBluetoothDeviceData(bindkey=key)
    update = device.update(SimpleNamespace(
        name=address, address=address, rssi=-60, manufacturer_data={}, service_data={SERVICE: packet},
        service_uuids=[], source="test", time=0.0, advertisement=None, device=None, connectable=False, tx_power=None))
    names = {kind(number): field for number, field in objects.fields.items() if number in MEAS_TYPES}
    units = {}
    for number, field in objects.fields.items():
        if number in MEAS_TYPES:
            units[kind(number), getattr(MEAS_TYPES[number].meas_format, "native_unit_of_measurement", None)] = field
    published = {}

    def publish(what, key, value, unit=None):
        base, _, index = key.rpartition("_")
        if not index.isdigit() or (what, base) not in names:
            base, index = key, "1"
        field = units.get(((what, base), unit), names.get((what, base)))
        if field is None:
            return
        name = field if index == "1" else f"{field}_{index}"
        published.setdefault(objects.features[field], {})[name] = value

    for place, value in update.entity_values.items():
        description = update.entity_descriptions.get(place)
        publish("sensor", place.key, value.native_value, getattr(description, "native_unit_of_measurement", None))
    for place, value in update.binary_entity_values.items():
        publish("binary", place.key, value.native_value)
    for place, event in update.events.items():
        publish("event", place.key, event.event_type)
        if "steps" in (event.event_properties or {}):
            published.setdefault("event", {})["steps"] = event.event_properties["steps"]
    return published


def encrypted(address, data, key, counter):
    flags, tail = bytes([0x41]), counter.to_bytes(4, "little")
    nonce = bytes.fromhex(address.replace(":", "")) + b"\xd2\xfc" + flags + tail
    sealed = AESCCM(key, tag_length=4).encrypt(nonce, data, None)
    return flags + sealed[:-4] + tail + sealed[-4:]


def text(value):
    """A value as JSON, with numbers as they are published."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, float):
        number = Decimal(repr(value))
        return format(number.quantize(Decimal(1)) if number == number.to_integral_value() else number.normalize(), "f")
    return json.dumps(value, ensure_ascii=False)


def check(program, examples):
    original = FILE.read_text().split("\nexamples:")[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE.name
        path.write_text(original + "\nexamples:\n" + "\n".join(examples) + "\n")
        run = subprocess.run([program, "check-device", path], capture_output=True, text=True, timeout=120)
    return run.returncode, run.stdout + run.stderr


def main(program, seed):
    # bthome-ble warns of objects in random order.
    logging.disable()
    source = random.Random(seed)
    objects = Objects(yaml.safe_load(FILE.read_text()))
    examples, count = [], 0
    for number in range(PLAIN + ENCRYPTED):
        address = ":".join(f"{byte:02X}" for byte in b"\xc0" + source.randbytes(5))
        data = payload(source, objects)
        key = source.randbytes(16) if number >= PLAIN else None
        packet = encrypted(address, data, key, source.randrange(2**32)) if key else bytes(
            [source.choice([0x40, 0x44])]) + data
        expected = decoded(address, packet, key, objects)
        count += sum(len(fields) for fields in expected.values())
        settings = f', settings: {{ bindkey: "{key.hex()}" }}' if key else ""
        examples.append(
            f'  - [ {{ device: {{ address: "{address}"{settings} }} }}, '
            f'{{ advertise: data, hex: "{packet.hex()}", publishes: {text(expected)} }} ]')
    status, output = check(program, examples)
    if status != 0:
        sys.exit(f"seed {seed}:\n{output}")
    # A wrong expectation must be noticed.
    wrong = [line.replace("publishes: {", 'publishes: {"identity": {"a": 1}, ', 1) for line in examples[:1]]
    if check(program, wrong)[0] == 0:
        sys.exit("this test is blind: a wrong value was not noticed")
    if count < PLAIN + ENCRYPTED:
        sys.exit(f"only {count} values in {len(examples)} packets")
    print(f"{len(examples)} packets with {count} values: equal to bthome-ble (seed {seed})")


main(sys.argv[1], int(sys.argv[2]))
