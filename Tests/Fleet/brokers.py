"""The brokers of a fleet, installed as docs/guides/brokers.md describes, each on its own machine."""

import subprocess
from contextlib import ExitStack
from pathlib import Path

from client import PASSWORD, Client
from machines import Missing, wait

ROLES = ["viewer", "operator", "driver", "typist"]
DEPLOY = Path(__file__).resolve().parents[2] / "deploy/brokers"


class Brokers:
    """The nodes of one broker; its users are the bridges, and one user for each role."""

    def __init__(self, network, names):
        self.network, self.names = network, names
        self.nodes = {name: network.machine(name, *self.system()) for name in names}
        self.addresses = [node.address for node in self.nodes.values()]

    def system(self):
        return ()

    @staticmethod
    def options(bridges):
        """The options of the command `acl`: a user for each bridge and for each role."""
        return " ".join([*(f"--bridge {name}" for name in bridges), *(f"--role {role}" for role in ROLES)])

    def kill(self, name):
        """To remote clients this is like a power loss, except that the connections are closed."""
        self.nodes[name].kill()

    def wait_for(self, name, user="typist"):
        """Waits until a node accepts clients."""
        def answers():
            try:
                with Client(user, [self.nodes[name].address]):
                    return True
            except Missing:
                return False
        wait(f"the broker at {name}", answers, 60)

    def wait_for_each_other(self):
        """Waits until a message published on each node arrives on all others."""
        with ExitStack() as stack:
            clients = {name: stack.enter_context(Client("typist", [node.address], ["marker/+"]))
                       for name, node in self.nodes.items()}

            def is_heard():
                for name, client in clients.items():
                    client.publish(f"marker/{name}", "there")
                return all({message.topic for message in client.seen} == {f"marker/{name}" for name in clients}
                           for client in clients.values())

            wait("the nodes hear each other", is_heard, 60, 0.1)


class Mosquittos(Brokers):
    """One Mosquitto, or a mirrored pair of them."""

    program = "mosquitto"

    def install(self, host, bridges, may_all=False):
        """Follows the guide; `host` has the bridge's command and its configuration. With `may_all` the bridges have
        all rights, as earlier bridges need other rights."""
        # Additional rights of the test: it reads all retained messages, and publishes markers.
        rules = "".join(f"user {user}\ntopic readwrite #\n" for user in ["typist", "pair", *(bridges if may_all else [])])
        if not may_all:
            rules = host.run(f"tactile-bridge acl {self.options(bridges)}") + "\n" + rules
        for number, (name, node) in enumerate(self.nodes.items()):
            files = ["fleet.conf", *([["pair-a.conf"], ["pair-b.conf"]][number] if len(self.nodes) > 1 else [])]
            node.run("rm -rf /etc/mosquitto/conf.d/*")
            for file in files:
                text = (DEPLOY / "mosquitto" / file).read_text()
                node.write(f"/etc/mosquitto/conf.d/{file}", text)
            node.run("rm -f /etc/mosquitto/tactile-bridge.passwd; touch /etc/mosquitto/tactile-bridge.passwd")
            for user in [*bridges, *ROLES, "pair"]:
                node.run(f"mosquitto_passwd -b /etc/mosquitto/tactile-bridge.passwd {user} {PASSWORD}")
            node.write("/etc/mosquitto/tactile-bridge.acl", rules, mode="600")
            node.run("chown mosquitto: /etc/mosquitto/tactile-bridge.*")
        for name in self.names:
            self.start(name)
        for name in self.names:
            self.wait_for(name)

    def start(self, name):
        node = self.nodes[name]
        # The steps of Debian's unit.
        node.run("mkdir -p /run/mosquitto /var/log/mosquitto /var/lib/mosquitto;"
                 "chown mosquitto /run/mosquitto /var/log/mosquitto /var/lib/mosquitto")
        node.start(["mosquitto", "-c", "/etc/mosquitto/mosquitto.conf"], stdout=subprocess.DEVNULL)


class Ejabberds(Brokers):
    """The nodes of an ejabberd cluster, each a layer over one Debian system."""

    program = "ejabberd"

    def __init__(self, network, names, system):
        self.root = system
        super().__init__(network, names)

    def system(self):
        return (self.root,)

    def install(self, host, bridges, may_all=False):
        rules = host.run(f"tactile-bridge acl --format ejabberd {self.options(bridges)}")
        # Additional rights of the test: it reads all retained messages, and publishes markers.
        for part, topics in {"publish": ["marker/#"], "subscribe": ["#", "marker/+"]}.items():
            head = f"    access_{part}:\n"
            assert rules.count(head) == 1
            rules = rules.replace(head, head + "".join(
                f'      "{topic}":\n        - allow: tactile_typist\n' for topic in topics))
        first, *others = self.names
        for name, node in self.nodes.items():
            for file, text in {"ejabberd": (DEPLOY / "ejabberd/ejabberd.yml").read_text(),
                               "tactile-bridge": rules}.items():
                node.write(f"/etc/ejabberd/{file}.yml", text, mode="640", owner="root:ejabberd")
            node.write("/var/lib/ejabberd/.erlang.cookie", "COOKIE-OF-THE-TEST", mode="400",
                       owner="ejabberd:ejabberd")
            node.run(f"echo ERLANG_NODE=ejabberd@{name}.example.org >>/etc/default/ejabberd")
            self.start(name)
        for name in self.names:
            self.nodes[name].run("timeout 60 ejabberdctl started", 90)
        for user in [*bridges, *ROLES]:
            self.nodes[first].run(f"ejabberdctl register {user} tactile {PASSWORD}")
        for name in others:
            self.nodes[name].run(f"ejabberdctl join_cluster ejabberd@{first}.example.org")
        for name in self.names:
            wait(f"the cluster at {name}", lambda name=name: all(
                other in self.nodes[name].run("ejabberdctl list_cluster", check=False) for other in self.names), 60, 0.5)
            self.wait_for(name)

    def start(self, name):
        self.nodes[name].run("mkdir -p /run/ejabberd /var/log/ejabberd; chown ejabberd: /run/ejabberd /var/log/ejabberd")
        self.nodes[name].start(["ejabberdctl", "foreground"], stdout=subprocess.DEVNULL)
