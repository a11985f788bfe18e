"""Runs tutorials as they are printed, and compares the output: see Tests/Tutorials/run."""

import re
import sys
import tempfile
import time

import page
from hosts import HERE, REPOSITORY, Hosts, Lines

# A state follows the command before it, so commands that only read are repeated until the output matches.
READS = re.compile("mosquitto_sub |mosquitto_rr .*/request/health_check |tactile-bridge fleet (ls|devices|check)")
PATIENCE = 15


class Tutorial:
    """A page, or a section of it, and its stage: a scenario of the simulator, whose comments name the page, its
    hosts, and the commands typed on the first host before the page starts."""

    def __init__(self, stage, programs):
        said = re.findall(r"^# (page|section|hosts|first): (.*)$", stage.read_text(), re.MULTILINE)
        self.path = REPOSITORY / next(text for word, text in said if word == "page")
        self.names = next(text for word, text in said if word == "hosts").split()
        self.first = [text for word, text in said if word == "first"]
        sections = [text for word, text in said if word == "section"]
        self.steps = page.steps(self.path.read_text(), *sections)
        self.programs, self.scenario, self.watching, self.printed = programs, stage, None, []

    def run(self, verbose):
        begun, count = time.monotonic(), 0
        with tempfile.TemporaryDirectory(prefix="tutorial-") as work:
            with Hosts(self.names, self.programs, self.scenario, work) as hosts:
                for line in self.first:
                    hosts.check(self.names[0], line)
                for step in self.steps:
                    at, self.printed = time.monotonic(), []
                    try:
                        complaint = self.do(step, hosts)
                    except (TimeoutError, OSError) as error:
                        complaint = [str(error)]
                    if verbose:
                        print(f"{time.monotonic() - at:6.2f} s  {self.path.name}:{step.line}: {step}"[:200])
                        print(*("           " + line for line in self.printed), sep="\n")
                    if complaint is not None:
                        self.explain(step, complaint, hosts)
                        return False
                    count += isinstance(step, page.Command)
                self.finish()
                replaced = sorted(set(hosts.replaced()))
        print(f"{self.path.name}: {count} commands as printed, on {len(self.names)} hosts, in "
              f"{time.monotonic() - begun:.1f} s")
        for text in sorted({text for _, text in replaced}):
            print(f"  replaced: {text} ({', '.join(name for name, other in replaced if other == text)})")
        return True

    def finish(self):
        """Runs at the end of the page, before everything is stopped."""

    def do(self, step, hosts):
        """Runs a step; returns nothing, or the actual output if it differs from the shown one."""
        match step:
            case page.Act(words=["air", *words]):
                hosts.air.act(" ".join(words))
            case page.Act(words=["power", word, name]):
                hosts.power(word, name)
            case page.Act(words=["reported", *words]):
                hosts.expect_report(" ".join(words))
            case page.File():
                hosts.write(step.host or self.names[0], step.path, step.text)
            case page.More():
                return self.await_more(step)
            case page.Command() if step.watches:
                if not step.shown:
                    raise ValueError(f"line {step.line}: it shows no line by which it is known to watch")
                self.watching = Lines(hosts.type(step.host or self.names[0], ["-c", step.text]))
                return self.await_more(step)
            case page.Command():
                return self.type(step, hosts)
        return None

    def await_more(self, step):
        """Waits until the output since the last call matches the shown one; otherwise returns the output."""
        self.printed, end = [], time.monotonic() + PATIENCE
        while not page.matches(self.printed, step.shown):
            try:
                self.printed.append(self.watching.next(end - time.monotonic(), ""))
            except TimeoutError:
                return self.printed
        return None

    def type(self, step, hosts):
        end = time.monotonic() + PATIENCE
        while True:
            status, output = hosts.run(step.host or self.names[0], step.text)
            lines = [line.rstrip() for line in output.split("\n")]
            while lines and not lines[-1]:
                lines.pop()
            # A command with a shown error may have any exit status.
            if status and not step.shown:
                lines.append(f"(it ended with {status})")
            if page.matches(lines, step.shown):
                self.printed = lines
                return None
            if not READS.match(step.text) or time.monotonic() > end:
                return lines

    def explain(self, step, seen, hosts):
        print(f"{self.path.name}:{step.line}: {getattr(step, 'text', step)}", "shown:", sep="\n")
        print(*("  " + line for line in getattr(step, "shown", [])), sep="\n")
        print("printed:", *("  " + line for line in seen), sep="\n")
        for name in self.names:
            for log in ("tactile-bridge/log", "mosquitto/log", "mosquitto/mosquitto.log"):
                _, text = hosts.run(name, f"tail -n 8 /var/log/{log} 2>/dev/null")
                if text:
                    print(f"{name}: {log}:", *("  " + line for line in text.splitlines()), sep="\n")


def main():
    verbose = "--verbose" in sys.argv
    programs, *wanted = [word for word in sys.argv[1:] if word != "--verbose"]
    stages = sorted(path for path in HERE.glob("*.yaml") if path.read_text().startswith("# page: "))
    tutorials = [Tutorial(stage, programs) for stage in stages if not wanted or stage.stem in wanted]
    # A list, so that each of them runs.
    done = [tutorial.run(verbose) for tutorial in tutorials]
    print(f"{sum(done)} passed, {len(done) - sum(done)} failed")
    sys.exit(0 if done and all(done) else 1)


if __name__ == "__main__":
    main()
