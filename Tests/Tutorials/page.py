"""The steps of a tutorial for its reader, and the output that it shows for each.

An `sh` block has commands. On a page with several hosts, its first line names those on which they are typed:
`# on hall and attic`. A `console` block directly below it is the output of its last command; the other commands print
nothing. If all are `mosquitto_rr`, it has one line for each. Any other `console` block continues the output of the last
command that still watches. A `yaml` or `text` block whose first line is `# PATH.yaml` is a file that the reader writes.

A comment describes the reader's manual actions and their simulation:

  <!-- test: on hall attic -->     the file in the next block is written on each of these hosts
  <!-- test: air WORDS -->         a line for the simulated radio: a device is carried, a button is pressed
  <!-- test: power off attic -->   the host is unplugged
  <!-- test: power on attic -->    and plugged in again
  <!-- test: assistant WORDS -->   an action in Home Assistant: Tests/HomeAssistant/tutorial.py
  <!-- test: reported TEXT -->     a sensation of the wearer: the simulator reports it, … matches anything
"""

import re
from dataclasses import dataclass, field


@dataclass
class Command:
    line: int
    host: str  # empty on a page with one host
    text: str
    shown: list[str] = field(default_factory=list)

    @property
    def watches(self):
        """Whether the command prints until it is stopped."""
        return re.match(r"mosquitto_sub\b", self.text) is not None and not re.search(r" -[CW] ", self.text)


@dataclass
class More:
    """The next output of the command that watches."""

    line: int
    shown: list[str]


@dataclass
class File:
    line: int
    host: str
    path: str
    text: str


@dataclass
class Act:
    line: int
    words: list[str]


def steps(text, section=None):
    """The steps of a page, or of one of its sections, in order."""
    found, hosts, block, comment, heading = [], None, None, "", None
    typed, end = [], 0  # the commands of the last `sh` block for which output may follow, and the line where it ends
    for number, line in enumerate(text.split("\n"), 1):
        if block is None and line.startswith("## "):
            heading = line.removeprefix("## ")
        if section not in (None, heading):
            continue
        # A comment may continue in the next line.
        if block is None and (comment or line.startswith("<!-- test: ")):
            line, comment = f"{comment} {line.strip()}".lstrip(), ""
            if not line.endswith("-->"):
                comment = line
                continue
        if block is not None:
            if not line.startswith("```"):
                block[2].append(line)
                continue
            language, first, lines = block
            if language == "sh":
                typed, end = commands(first, lines), number
                found += typed
            elif language == "console" and typed and first == end + 2:
                show(typed, lines)
            elif language == "console":
                found.append(More(first, lines))
            else:
                found += files(block, hosts or [""])
            block = hosts = None
        elif line.startswith("```"):
            block = (line[3:], number, [])
        elif said := re.fullmatch(r"<!-- test: (.*) -->", line):
            words = said[1].split()
            if words[0] == "on":
                hosts = words[1:]
            elif words[0] in ("air", "assistant", "power", "reported"):
                found.append(Act(number, words))
            else:
                raise ValueError(f"line {number}: test: {said[1]}: nothing is known that does this")
    if section and not found:
        raise ValueError(f"the page has no steps in a section {section}")
    return found


def files(block, hosts):
    language, number, lines = block
    named = re.fullmatch(r"# (\S+\.yaml)", lines[0]) if language in ("yaml", "text") and lines else None
    return [File(number, host, named[1], "\n".join(lines) + "\n") for host in hosts] if named else []


def commands(number, lines):
    """The commands of a block, each on every host that its first line names."""
    named = re.fullmatch(r"# on (.*)", lines[0]) if lines else None
    hosts = re.split(r", | and ", named[1]) if named else [""]
    typed = [(index, line) for index, line in enumerate(lines, number + 1) if line and not line.startswith("#")]
    return [Command(index, host, line) for index, line in typed for host in hosts]


def show(typed, lines):
    """Notes the output of a block's commands."""
    texts = list(dict.fromkeys(command.text for command in typed))
    if len(texts) == len(lines) and all(text.startswith("mosquitto_rr ") for text in texts):
        shown = {text: [line] for text, line in zip(texts, lines)}
    else:
        shown = {texts[-1]: lines}
    for command in typed:
        command.shown = shown.get(command.text, [])


def matches(output, shown):
    """Whether lines match the shown ones: … matches any characters, and as a line any lines."""
    if not shown:
        return not output
    if shown[0] == "…":
        return any(matches(output[count:], shown[1:]) for count in range(len(output) + 1))
    return bool(output) and is_line(output[0], shown[0]) and matches(output[1:], shown[1:])


def is_line(line, shown):
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), line.rstrip()) is not None
