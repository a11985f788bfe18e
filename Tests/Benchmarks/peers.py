"""The measured programs, each as a function of the stage that returns its command and its environment."""

import json
import shutil
from pathlib import Path


def bridge(programs: Path, known=False, devices: dict | None = None, described=False,
           acquires=False):
    """The bridge in a folder.

    known: the devices of the rig are in its state file, and no other device connects.
    devices: the configured devices; without them the bridge connects every device.
    described: the rig's devices belong to a family of a device file.
    acquires: notifications arrive through acquired sockets instead of as signals."""
    def start(stage):
        settings = {
            "BLUETOOTH_BUS": stage.bus, "BLUETOOTH_JOIN": "permit" if known else "always", "BRIDGE_ID": "bench",
            "BRIDGE_STATE_DIRECTORY": stage.folder / "state", "MQTT_HOST": "127.0.0.1", "MQTT_PORT": stage.port,
        }
        settings["BLUETOOTH_ACQUIRE"] = "true" if acquires else "false"
        if known:
            (stage.folder / "state").mkdir()
            (stage.folder / "state/state.json").write_text(json.dumps(state(stage.devices, "wearable" if described else "tap")))
        configuration = {"devices": devices or {}}
        if described:
            shutil.copy(Path(__file__).with_name("wearable.yaml"), stage.folder)
            configuration["devices_directory"] = str(stage.folder)
        # JSON is valid YAML.
        (stage.folder / "settings").mkdir()
        (stage.folder / "settings/bridge.yaml").write_text(json.dumps(configuration))
        return (
            [programs / "tactile-bridge", "run", "--config", stage.folder / "settings/bridge.yaml", "--log-level", "warning"],
            {f"TACTILE_BRIDGE_{name}": str(value) for name, value in settings.items()})
    return start


def address(number: int) -> str:
    """The address of one of the rig's devices."""
    return f"D7:A9:E0:8C:{number >> 8:02X}:{number & 0xFF:02X}"


def state(count: int, family: str) -> dict:
    """A state file in which the rig's devices have joined."""
    def device(number):
        return {
            "address": address(number), "family": family, "name": f"{family}/" + address(number).replace(":", "")[6:].lower(),
            "joined": True, "held": False, "former_names": [], "memory": {},
        }
    return {"version": 1, "devices": [device(number) for number in range(count)], "retained_topics": []}


def floor(programs: Path, *words: str):
    return lambda stage: ([programs / "floor", stage.bus, stage.port, *words], {})


def python(programs: Path):
    return lambda stage: (
        [programs / "venv/bin/python", Path(__file__).with_name("peer.py"), stage.port, stage.devices],
        {"DBUS_SYSTEM_BUS_ADDRESS": stage.bus})
