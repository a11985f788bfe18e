"""Validates discovery messages with Home Assistant's own code.

Reads lines of `tactile-bridge discovery --format json` and does with each what Home Assistant does when the message
arrives. It expands the abbreviated keys, and applies the schema of device discovery and the options that components
take from the device. It then applies each platform's own discovery schema, and renders the templates with the declared
examples. Prints every problem; exits with status 1 if there is one.
"""

import asyncio
import copy
import importlib
import json
import logging
import sys

from homeassistant.components.mqtt import abbreviations, const, device_automation, device_trigger, discovery, schemas
from homeassistant.components.sensor.const import DEVICE_CLASS_STATE_CLASSES
from homeassistant.core import HomeAssistant
from homeassistant.helpers import template as templates
from homeassistant.helpers.template import Template

UNKNOWN, FAILED = "None", "template failed"
complaints = []


class Log(logging.Handler):
    """Home Assistant's log lines of level warning and above."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


log = Log()


def complain(topic, where, what):
    complaints.append(f"{topic}: {where}: {what}")


def schema_of(platform):
    if platform == "device_automation":
        return device_automation.DISCOVERY_SCHEMA
    return importlib.import_module(f"homeassistant.components.mqtt.{platform}").DISCOVERY_SCHEMA


def render(hass, text, payload):
    """Renders a value template as an entity does."""
    value = Template(text, hass).async_render_with_possible_json_value(payload, FAILED, {})
    return str(value)


def check_value(topic, name, platform, config, value):
    """Whether an entity of the platform accepts a rendered value, without an error in the log."""
    if platform == "sensor":
        if value == UNKNOWN:
            return
        if (options := config.get("options")) and value not in options:
            complain(topic, name, f"{value!r} is none of the options {options}")
        if config.get("unit_of_measurement") or config.get("state_class"):
            try:
                float(value)
            except ValueError:
                complain(topic, name, f"{value!r} is no number")
        if config.get("device_class") == "timestamp":
            from homeassistant.util import dt

            parsed = dt.parse_datetime(value)
            if parsed is None or parsed.tzinfo is None:
                complain(topic, name, f"{value!r} is no point in time")
    elif platform == "binary_sensor":
        if value not in (config["payload_on"], config["payload_off"], UNKNOWN):
            complain(topic, name, f"{value!r} is neither on nor off")
    elif platform == "switch":
        on, off = config.get("state_on", config["payload_on"]), config.get("state_off", config["payload_off"])
        if value not in (on, off, UNKNOWN):
            complain(topic, name, f"{value!r} is neither {on} nor {off}")
    elif platform == "select":
        if value.lower() != "none" and value not in config["options"]:
            complain(topic, name, f"{value!r} is none of the options {config['options']}")
    elif platform == "number":
        if value != UNKNOWN and not config["min"] <= float(value) <= config["max"]:
            complain(topic, name, f"{value!r} is not within {config['min']}...{config['max']}")
    elif platform == "event":
        event = json.loads(value)
        if event["event_type"] not in config["event_types"]:
            complain(topic, name, f"{event['event_type']!r} is none of the types")


def check_cleared(hass, topic, name, platform, component):
    """Checks the empty payload of a cleared topic: Home Assistant must log nothing and must not change the entity."""
    text, log.lines = component.get("value_template"), []
    rendered = render(hass, text, "") if text is not None else ""
    if log.lines or rendered not in ("", UNKNOWN):
        complain(topic, name, f"a cleared topic makes {rendered!r} of {text}: {log.lines}")
    is_numeric = component.get("unit_of_measurement") or component.get("state_class")
    if platform == "sensor" and rendered == "" and not is_numeric:
        complain(topic, name, "a cleared topic makes an empty text, no word, or no time")


def check_triggers(topic, components):
    """Requires unique triggers: Home Assistant accepts one of each type and subtype."""
    seen = set()
    for name, component in components.items():
        if component["platform"] == "device_automation" and "type" in component:
            key = (component["type"], component["subtype"])
            if key in seen:
                complain(topic, name, f"another trigger is {key} too")
            seen.add(key)


def check_statistics(topic, name, platform, config):
    """Whether a sensor's state class fits its device class: Home Assistant accepts others, but logs a warning."""
    device_class, state_class = config.get("device_class"), config.get("state_class")
    if platform != "sensor" or device_class is None or state_class is None:
        return
    allowed = DEVICE_CLASS_STATE_CLASSES.get(device_class)
    if allowed is not None and state_class not in allowed:
        complain(topic, name, f"the state class {state_class} is impossible for {device_class}")


def check_choices(topic, name, platform, config):
    """Checks for options that Home Assistant cannot show as selected, and for duplicate event types."""
    for option in config.get("options", []):
        if platform == "select" and option.lower() == "none":
            complain(topic, name, f"the option {option!r} would never be seen chosen")
    if len(set(config.get("event_types", []))) != len(config.get("event_types", [])):
        complain(topic, name, "an event type comes twice")


def check_command(hass, topic, name, platform, config):
    """Renders the command of every option."""
    text = config.get("command_template")
    if text is None:
        return
    values = {
        "select": config.get("options", []),
        "number": [config.get("min"), config.get("max")],
        "notify": ["Dinner is ready!", "NORMAL", " heavy ", 'a "quoted" \\ \'word\'\n{{ 1 }}'],
    }.get(platform, [])
    for value in values:
        sent = Template(str(getattr(text, "template", text)), hass).async_render(
            {"value": value}, parse_result=False
        )
        if sent.startswith("{"):
            json.loads(sent)
        if not sent or "\n" in sent:
            complain(topic, name, f"sends {sent!r} for {value!r}")


def check_light(hass, topic, name, component, examples):
    """Renders the templates of a light: it reads each value without a warning, and sends JSON."""
    for key, text in component.items():
        if not key.endswith("_template") or key.startswith("command_"):
            continue
        for example in [*examples, ""]:
            log.lines = []
            value = render(hass, text, example)
            words = {"state_template": ["on", "off"], "effect_template": component.get("effect_list", [])}.get(key)
            if log.lines or value and (value not in words if words else not value.isdigit()):
                complain(topic, name, f"{key} makes {value!r} of {example!r}: {log.lines}")
    values = {"brightness": 128, "red": 1, "green": 2, "blue": 3, "color_temp": 2700,
              "effect": (component.get("effect_list") or [""])[0]}
    for chosen in ([], ["brightness"], ["red", "green", "blue"], ["color_temp"], ["effect"], list(values)):
        for command in ("command_on_template", "command_off_template"):
            sent = Template(component[command], hass).async_render(
                {key: values[key] for key in chosen}, parse_result=False)
            if not isinstance(json.loads(sent), dict):
                complain(topic, name, f"{command} sends {sent!r}")


def long_keys(message):
    """The long keys of a published message that have abbreviations in Home Assistant, with their paths."""
    def find(place, keys, known):
        return [place + key for key in keys if key in {full for short, full in known.items() if short != full}]

    found = find("", message, abbreviations.ABBREVIATIONS)
    found += find("dev.", message.get("dev", {}), abbreviations.DEVICE_ABBREVIATIONS)
    found += find("o.", message.get("o", {}), abbreviations.ORIGIN_ABBREVIATIONS)
    for name, component in message.get("cmps", {}).items():
        found += find(f"{name}.", component, abbreviations.ABBREVIATIONS)
    return found


def read(line):
    """The line with the message in the form that Home Assistant reads."""
    message = copy.deepcopy(line["message"])
    discovery._replace_all_abbreviations(message)
    return {**line, "message": message}


def check(hass, line, identifiers, names):
    topic, message = line["topic"], line["message"]
    trimmed = topic.split("/", topic.count("/") - 2)[-1]
    if not (match := discovery.TOPIC_MATCHER.fullmatch(trimmed)) or match["component"] != "device":
        complain(topic, "topic", "Home Assistant does not look there")
    try:
        checked = schemas.DEVICE_DISCOVERY_SCHEMA(copy.deepcopy(message))
        if hasattr(schemas, "validate_device_discovery_components"):
            schemas.validate_device_discovery_components(checked)
    except Exception as error:
        return complain(topic, "message", f"refused: {error}")
    device = message["device"]
    if (hub := device.get("via_device")) and hub not in names:
        complain(topic, "via_device", f"{hub} was not announced before")
    names.update(device["identifiers"])
    if message.get("availability_mode") != "all":
        complain(topic, "availability_mode", "must be all")
    check_triggers(topic, message["components"])
    for name, component in message["components"].items():
        platform = component["platform"]
        if set(component) == {"platform"}:
            continue
        config = {key: copy.deepcopy(value) for key, value in component.items() if key != "platform"}
        own = set(config)
        for option in schemas.SHARED_OPTIONS:
            if option in message and option not in config:
                config[option] = copy.deepcopy(message[option])
        config["device"] = copy.deepcopy(message["device"])
        config["origin"] = copy.deepcopy(message["origin"])
        try:
            config = schema_of(platform)(config)
            if platform == "device_automation":
                config = device_trigger.TRIGGER_DISCOVERY_SCHEMA(config)
        except Exception as error:
            complain(topic, name, f"refused by {platform}: {error}")
            continue
        for key in sorted(own - set(config)):
            complain(topic, name, f"{platform} drops {key}")
        if (unique := component.get("unique_id")) is not None:
            if (platform, unique) in identifiers:
                complain(topic, name, f"the unique_id {unique} is used twice")
            identifiers.add((platform, unique))
        if (title := component.get("name")) and title.lower().startswith(device["name"].lower()):
            complain(topic, name, f"the name {title!r} repeats the device's")
        check_choices(topic, name, platform, component)
        check_statistics(topic, name, platform, component)
        try:
            check_command(hass, topic, name, platform, component)
            state = component.get("state_topic") or component.get("topic")
            if state is None:
                continue
            examples = line["examples"].get(state, [])
            if not examples:
                complain(topic, name, f"nothing is published on {state}")
            if platform == "light":
                check_light(hass, topic, name, component, examples)
                continue
            check_cleared(hass, topic, name, platform, component)
            for example in examples:
                if (text := component.get("value_template")) is not None:
                    rendered = render(hass, text, example)
                else:
                    rendered = example
                if rendered in ("", FAILED):
                    complain(topic, name, f"its template makes {rendered!r} of {example}")
                elif platform != "device_automation":
                    check_value(topic, name, platform, component, rendered)
        except Exception as error:
            complain(topic, name, f"a template fails: {type(error).__name__}: {error}")


def prove(hass, line):
    """Checks that each kind of error would be detected, by errors in a message of this project."""
    components = line["message"]["components"]
    sensor = next(k for k, c in components.items() if "unit_of_measurement" in c and "device_class" in c)
    select = next(k for k, c in components.items() if c["platform"] == "select")
    event = next(k for k, c in components.items() if c["platform"] == "event")
    word = next(k for k, c in components.items()
                if c["platform"] == "sensor" and c.get("value_template") == "{{value or none}}")
    trigger = next(k for k, c in components.items() if c["platform"] == "device_automation")

    def change(path, value):
        def apply(message):
            *parents, last = path
            for key in parents:
                message = message[key]
            if value is None:
                del message[last]
            else:
                message[last] = value

        return apply

    part = ["components"]
    mistakes = {
        "an unknown key at the top": change(["~"], "belt"),
        "an unknown key in device": change(["device", "colour"], "red"),
        "an unknown key in origin": change(["origin", "colour"], "red"),
        "no origin": change(["origin"], None),
        "no identifiers and no connections": lambda m: [m["device"].pop(k) for k in ("identifiers", "connections")],
        "availability twice": change(["availability_topic"], "x"),
        "no unique_id": change([*part, sensor, "unique_id"], None),
        "an unknown platform": change([*part, sensor, "platform"], "sensr"),
        "no command_topic": change([*part, select, "command_topic"], None),
        "a wildcard": change([*part, select, "command_topic"], "a/+/set"),
        "no event_types": change([*part, event, "event_types"], None),
        "an unknown device class": change([*part, sensor, "device_class"], "weight_of_feather"),
        "a unit that does not fit": change([*part, sensor, "unit_of_measurement"], "furlong"),
        "a count with a mean": lambda m: m["components"][sensor].update(
            device_class="energy", unit_of_measurement="kWh", state_class="measurement"
        ),
        "a sensor among the settings": change([*part, sensor, "entity_category"], "config"),
        "a misspelt key": change([*part, sensor, "valu_template"], "{{ value }}"),
        "object_id": change([*part, sensor, "object_id"], "x"),
        "a unique_id that comes twice": lambda m: m["components"].update(copy=m["components"][select]),
        "a template that fails": change([*part, sensor, "value_template"], "{{ value_json.level | nothing }}"),
        "a template that fails where the topic is cleared": change(
            [*part, sensor, "value_template"], "{{value_json.level}}"),
        "a word that is none where the topic is cleared": change([*part, word, "value_template"], None),
        "a trigger that comes twice": lambda m: m["components"].update(copy=m["components"][trigger]),
        "an option that is never published": change([*part, event, "event_types"], ["nothing"]),
        "a via_device that was not announced": change(["device", "via_device"], "stranger"),
    }
    for name, apply in mistakes.items():
        broken = copy.deepcopy(line)
        apply(broken["message"])
        complaints.clear()
        check(hass, broken, set(), {line["message"]["device"].get("via_device")})
        if not complaints:
            return f"{name} was not noticed"
    complaints.clear()
    return None


async def main(path):
    hass = HomeAssistant("/nonexistent")
    templates.async_setup(hass)
    logging.getLogger().addHandler(log)
    with open(path, encoding="utf-8") as file:
        device = next(line for line in map(read, map(json.loads, file)) if "via_device" in line["message"]["device"])
    if blind := prove(hass, device):
        print(f"this test is blind: {blind}", file=sys.stderr)
        return 1
    messages, identifiers, names = 0, set(), set()
    counts = {}
    with open(path, encoding="utf-8") as file:
        for text in file:
            published = json.loads(text)
            for key in long_keys(published["message"]):
                complain(published["topic"], key, "there is a shorter key")
            line = read(published)
            check(hass, line, identifiers, names)
            messages += 1
            for component in line["message"]["components"].values():
                counts[component["platform"]] = counts.get(component["platform"], 0) + 1
    unknown = set(counts) - set(const.SUPPORTED_COMPONENTS)
    if unknown:
        complain("all", "platforms", f"Home Assistant has no {unknown}")
    await hass.async_stop(force=True)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    summary = ", ".join(f"{count} {platform}" for platform, count in sorted(counts.items()))
    print(f"{messages} messages with {sum(counts.values())} components ({summary}): {len(complaints)} complaints")
    return 1 if complaints or not messages else 0


sys.exit(asyncio.run(main(sys.argv[1])))
