"""Follows the tutorial of Home Assistant with a Home Assistant that runs: see Tests/HomeAssistant/run.

The page's comments say what a person does in the browser, in words behind `assistant`.

usage: tutorial.py ROOT PROGRAMS [--verbose]
  ROOT      the system with Home Assistant
  PROGRAMS  the folder with tactile-bridge and tactile-simulator
"""

import shutil
import sys
from pathlib import Path

import yaml
from assistant import Assistant

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tutorials"))

import page  # noqa: E402
from tutorial import Tutorial  # noqa: E402

EXAMPLES = HERE.parent.parent / "docs/examples/home-assistant"


def entities(part):
    """The entities that a dashboard or an automation uses."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key in ("entity", "entity_id") and isinstance(value, str):
                yield value
            yield from entities(value)
    elif isinstance(part, list):
        for value in part:
            if isinstance(value, str) and value.count(".") == 1:
                yield value
            yield from entities(value)


class AssistantTutorial(Tutorial):
    def __init__(self, stage, programs, assistant):
        super().__init__(stage, programs)
        self.assistant, self.actions, self.complaints = assistant, 0, []

    def finish(self):
        self.complaints = self.assistant.complaints()

    def do(self, step, hosts):
        match step:
            case page.Act(words=["assistant", deed, *words]):
                self.actions += 1
                getattr(self, deed)(*words)
                return None
        return super().do(step, hosts)

    # The words of the page.

    def begins(self):
        self.assistant.begin()

    def mqtt(self, broker, port):
        self.assistant.add_mqtt(broker, port)

    def button(self, name):
        self.assistant.make_button(name)

    def shows(self, entity, state):
        seen = []

        def is_so():
            seen.append(self.assistant.states().get(entity, "no such entity"))
            return seen[-1] == state

        try:
            self.assistant.wait(f"{entity} is {state}", is_so)
        except TimeoutError as error:
            raise TimeoutError(f"{error}; it is {seen[-1]}") from None

    def tells(self, entity, message):
        self.assistant.act("notify.send_message", entity_id=entity, message=message)

    def presses(self, entity):
        self.assistant.act(entity.split(".")[0] + ".press", entity_id=entity)

    def automation(self, file):
        """Saves the automation that the page prints, which equals the file's."""
        text = (EXAMPLES / file).read_text()
        printed = "".join(line for line in text.splitlines(True) if not line.startswith("#"))
        if f"```text\n{printed}```" not in self.path.read_text():
            raise ValueError(f"the page prints something else than {file}")
        self.know(yaml.safe_load(text))
        self.assistant.save_automation(Path(file).stem, yaml.safe_load(text))

    def dashboard(self, file):
        dashboard = yaml.safe_load((EXAMPLES / file).read_text())
        self.know(dashboard)
        self.assistant.save_dashboard("tactile-belt", dashboard)
        for action in ("heartbeat", "Stop everything"):
            self.press_card(dashboard, action)

    def press_card(self, dashboard, name):
        """Presses a button of the dashboard, and requires that Home Assistant accepts its action."""
        cards = [card for view in dashboard["views"] for stack in view["cards"] for card in stack.get("cards", [])]
        action = next(card for card in cards if card["name"].lower() == name.lower())["tap_action"]
        self.assistant.act(action["perform_action"], **action["target"], **action.get("data", {}))

    def know(self, part):
        """Whether Home Assistant has all entities of an example."""
        states = self.assistant.states()
        if missing := {name for name in entities(part) if name not in states}:
            raise ValueError(f"Home Assistant has no {sorted(missing)}; it has {sorted(states)}")

    def copies(self, folder):
        to = self.assistant.folder / "blueprints/automation/tactile_bridge"
        shutil.copytree(EXAMPLES / folder, to)
        found = self.assistant.say("blueprint/list", domain="automation")
        ours = {name: blueprint for name, blueprint in found.items() if name.startswith("tactile_bridge/")}
        wrong = {name: blueprint["error"] for name, blueprint in ours.items() if "error" in blueprint}
        if wrong or len(ours) != len(list(to.iterdir())):
            raise ValueError(f"Home Assistant takes not all blueprints: {wrong or list(found)}")

    def blueprint(self, name, *inputs):
        """Creates an automation from a blueprint: NAME=VALUE is an input of its form."""
        declared = yaml.load((EXAMPLES / f"blueprints/{name}.yaml").read_text(), Inputs)["blueprint"]["input"]
        values = {}
        for text in inputs:
            key, _, value = text.partition("=")
            (kind, _), = declared[key]["selector"].items()
            values[key] = getattr(self, f"choose_{kind}")(value, declared[key]["selector"][kind] or {})
        self.assistant.save_automation(name, {
            "alias": name, "use_blueprint": {"path": f"tactile_bridge/{name}.yaml", "input": values}})

    # The inputs of a blueprint's form.

    def choose_device(self, name, _):
        return self.assistant.device(name)

    def choose_number(self, value, _):
        return int(value)

    def choose_entity(self, entity, options):
        """An entity that the form offers."""
        state, (wanted,) = self.assistant.state(entity), options["filter"]
        kind = state["attributes"].get("device_class")
        if entity.split(".")[0] != wanted["domain"] or wanted.get("device_class") not in (None, kind):
            raise ValueError(f"{entity} is not offered: {wanted}")
        return [entity]

    def choose_action(self, text, _):
        entity, _, message = text.partition(":")
        return [{"action": "notify.send_message", "target": {"entity_id": entity}, "data": {"message": message}}]

    def choose_trigger(self, text, _):
        device, kind, subtype = text.split(":")
        device = self.assistant.device(device)
        offered = self.assistant.say("device_automation/trigger/list", device_id=device)
        return [next(trigger for trigger in offered if (trigger.get("type"), trigger.get("subtype")) == (kind, subtype))]

    def notified(self, *words):
        text = " ".join(words)
        self.assistant.wait(f"the notice {text}", lambda: text in [
            notice["message"] for notice in self.assistant.say("persistent_notification/get")])


class Inputs(yaml.SafeLoader):
    """Reads the inputs of a blueprint as their names."""


Inputs.add_constructor("!input", lambda loader, node: loader.construct_scalar(node))


def main():
    root, programs, *options = sys.argv[1:]
    with Assistant(root) as assistant:
        tutorial = AssistantTutorial(HERE / "stage.yaml", programs, assistant)
        done = tutorial.run("--verbose" in options)
        print(f"in Home Assistant {assistant.version}: {tutorial.actions} actions and checks")
        if tutorial.complaints:
            print("Home Assistant complains:", *tutorial.complaints, sep="\n")
            done = False
    sys.exit(0 if done else 1)


main()
