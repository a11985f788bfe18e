"""Holds the documents of the contract, and payloads, to the libraries that clients use.

usage: validate.py documents SCHEMAS ASYNCAPI          the documents themselves, and their examples
       validate.py verdicts SCHEMAS < LINES            payloads, each with the bridge's own verdict
       validate.py session SCHEMAS ASYNCAPI < LINES    messages, each with its topic; every topic must be among them

A line is a JSON object: `schema` or `topic`, `payload`, and for a verdict `accepted` and `excuse`, why the schema may
refuse what the bridge takes. Prints every complaint, then one line with the counts; exits 1 after a complaint.

Wants PyPI's jsonschema (4.18 or newer). With PyPI's asyncapi3 the AsyncAPI document is held to that model too; without
it only its references are followed, and that is said.
"""

import json
import re
import sys
import warnings

from jsonschema import Draft7Validator, Draft202012Validator

complaints = []


def complain(*words):
    complaints.append(": ".join(str(word) for word in words))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Schemas:
    """The schemas of a document, each as a validator by name."""

    def __init__(self, path, document, schemas, kind):
        self.document, self.names = document, schemas
        self.validators = {}
        # A document with all schemas, so that references resolve.
        definitions = {"$defs": schemas, "components": {"schemas": schemas}}
        for name in schemas:
            self.validators[name] = kind({**definitions, "allOf": [{"$ref": f"#/$defs/{name}"}]})
            try:
                kind.check_schema(schemas[name])
            except Exception as error:
                complain(path, name, error)

    def refusal(self, name, value):
        error = next(self.validators[name].iter_errors(value), None)
        return error and f"{'/'.join(map(str, error.absolute_path))} {error.message[:300]}"


def value(payload, kind):
    """The value that a schema validates for a payload."""
    if kind == "text":
        return payload
    text = payload.strip(" \t\n\v\f\r") if kind == "either" else payload
    try:
        return json.loads(text)
    except ValueError:
        if kind == "either":
            return text
        raise


def read_schemas(path):
    document = load(path)
    return Schemas(path, document, document["$defs"], Draft202012Validator)


def read_asyncapi(path):
    document = load(path)
    return Schemas(path, document, document["components"]["schemas"], Draft7Validator)


def follow(document, node, place=""):
    """Reports references without a target; counts all references."""
    count = 0
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str):
            count += 1
            target = document
            try:
                for step in reference.removeprefix("#/").split("/"):
                    target = target[step.replace("~1", "/").replace("~0", "~")]
            except (KeyError, TypeError):
                complain(place, "leads nowhere", reference)
        for key, child in node.items():
            count += follow(document, child, f"{place}/{key}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            count += follow(document, child, f"{place}/{index}")
    return count


def documents(schemas_path, asyncapi_path):
    schemas, asyncapi = read_schemas(schemas_path), read_asyncapi(asyncapi_path)
    references = follow(schemas.document, schemas.document) + follow(asyncapi.document, asyncapi.document)
    named = {name.removeprefix("#/$defs/") for topic in schemas.document["x-topics"] for name in topic["schemas"]}
    examples = 0
    for name, schema in schemas.names.items():
        for example in schema.get("examples", []):
            examples += 1
            if refusal := schemas.refusal(name, example):
                complain(name, "its example is refused", refusal)
        if "x-payload" in schema and name not in named:
            complain(name, "no topic has it")
        check_closed(name, schema)
    channels = asyncapi.document["channels"]
    for name, message in asyncapi.document["components"]["messages"].items():
        for example in message.get("examples", []):
            if refusal := asyncapi.refusal(name, example["payload"]):
                complain(name, "AsyncAPI refuses its example", refusal)
    topics = {topic["topic"] for topic in schemas.document["x-topics"]}
    if missing := topics ^ {channel["address"] for channel in channels.values()}:
        complain("the documents have different topics", sorted(missing))
    for name, channel in channels.items():
        if set(re.findall(r"{(\w+)}", channel["address"])) != set(channel.get("parameters", {})):
            complain(name, "parameters differ from those of the address")
    model = hold_to_model(asyncapi.document)
    print(f"{len(named)} schemas, {examples} examples, {len(channels)} channels, {references} references; {model}")


def check_closed(name, schema, place=""):
    """Reports objects that accept unknown keys; conditions and examples are exempt."""
    if isinstance(schema, list):
        for child in schema:
            check_closed(name, child, place)
    if not isinstance(schema, dict):
        return
    kind = schema.get("type")
    if kind == "object" and "properties" in schema and "additionalProperties" not in schema:
        complain(name, "is open", place)
    for key, child in schema.items():
        if key not in ("examples", "default", "if", "then", "else", "not", "enum", "const"):
            check_closed(name, child, f"{place}/{key}")


def hold_to_model(document):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from asyncapi3.models import AsyncAPI3
    except ImportError:
        return "asyncapi3 is not installed: of the AsyncAPI document only the references were followed"
    try:
        AsyncAPI3.model_validate(document)
    except Exception as error:
        complain("AsyncAPI", str(error)[:2000])
    return "AsyncAPI 3 by asyncapi3"


def verdicts(schemas_path):
    schemas = read_schemas(schemas_path)
    counts = {"accepted": 0, "refused": 0, "excused": 0}
    for text in sys.stdin:
        line = json.loads(text)
        name = line["schema"]
        refusal = schemas.refusal(name, value(line["payload"], schemas.names[name]["x-payload"]))
        if refusal is None and not line["accepted"]:
            complain(name, "the schema accepts what the bridge refuses", line["payload"], line["error"])
        if refusal is not None and line["accepted"]:
            if line.get("excuse"):
                counts["excused"] += 1
            else:
                complain(name, "the schema refuses what the bridge accepts", line["payload"], refusal)
        counts["accepted" if line["accepted"] else "refused"] += 1
    print(f"{counts['accepted']} accepted, {counts['refused']} refused, {counts['excused']} excused")


def pattern(address):
    """A pattern for the topics of an address; names may have several levels."""
    parts = re.split(r"({\w+})", address)
    return re.compile("".join("(.+)" if part.startswith("{") else re.escape(part) for part in parts))


def session(schemas_path, asyncapi_path):
    schemas, asyncapi = read_schemas(schemas_path), read_asyncapi(asyncapi_path)
    topics = [(pattern(topic["topic"]), topic) for topic in schemas.document["x-topics"]]
    messages = {name: message for name, message in asyncapi.document["components"]["messages"].items()}
    channels = [(pattern(channel["address"]), channel) for channel in asyncapi.document["channels"].values()]
    seen, cleared, used = 0, 0, {}
    for text in sys.stdin:
        line = json.loads(text)
        topic, payload = line["topic"], line["payload"]
        found = next((topic_ for shape, topic_ in topics if shape.fullmatch(topic)), None)
        channel = next((channel for shape, channel in channels if shape.fullmatch(topic)), None)
        if found is None or channel is None:
            complain(topic, "no schema", payload[:100])
            continue
        if payload == "" and found["kind"] == "state":
            cleared += 1
            continue
        seen += 1
        used[found["topic"]] = used.get(found["topic"], 0) + 1
        for kind, names, all_ in (
            ("JSON Schema", [name.removeprefix("#/$defs/") for name in found["schemas"]], schemas),
            ("AsyncAPI", list(channel["messages"]), asyncapi),
        ):
            refusals = []
            for name in names:
                form = schemas.names[name]["x-payload"]
                if kind == "AsyncAPI" and (messages[name]["contentType"] == "text/plain") != (form == "text"):
                    complain(name, "the documents read its payload differently")
                try:
                    refusals.append(all_.refusal(name, value(payload, form)))
                except ValueError as error:
                    refusals.append(error)
            if None not in refusals and not line.get("refused"):
                complain(topic, kind, payload[:300], refusals[0])
            if None in refusals and line.get("refused"):
                complain(topic, kind, "accepts what the bridge refused", payload[:300])
    # A message of one device counts for its whole family: models of a family have different topics.
    said = {name for _, topic in topics if topic["topic"] in used for name in topic["schemas"]}
    # A bridge publishes offers only next to other bridges, and `fleet apply` writes the fleet's groups. A session has
    # one bridge, and no fleet.
    said.update(f"#/$defs/{name}" for name in ("bridge-offer", "roster-groups"))
    for _, topic in topics:
        if not said.intersection(topic["schemas"]):
            complain(topic["topic"], "no message of the session is on it, nor on another device's of its family")
    print(f"{seen} messages on {len(used)} of {len(topics)} topics are valid by JSON Schema and by AsyncAPI, {cleared} cleared")


if __name__ == "__main__":
    {"documents": documents, "verdicts": verdicts, "session": session}[sys.argv[1]](*sys.argv[2:])
    for complaint in complaints[:40]:
        print(complaint, file=sys.stderr)
    if complaints:
        print(f"{len(complaints)} complaints", file=sys.stderr)
    sys.exit(1 if complaints else 0)
