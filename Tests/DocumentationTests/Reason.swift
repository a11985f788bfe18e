/// The reasons why the tests do not run some commands of the pages. Each of these commands has an entry.
enum Reason {
    /// The prefix of a command, and the reason.
    static let all: [(command: String, reason: String)] = [
        ("swift build", "builds the program"),
        ("swift format", "a step of deploy/test"),
        ("git clone", "needs the network"),
        ("cd tactile-bridge", "belongs to git clone"),
        ("deploy/demo", "builds, and starts a broker and a bus"),
        ("cp config/scenarios/bracelet.yaml", "needs the demonstration; DemonstrationTests runs it"),
        ("deploy/test", "runs these tests too"),
        ("deploy/needs", "installs packages"),
        ("deploy/package", "builds the release"),
        ("deploy/repository", "needs packages and a key; Tests/Package/run makes one"),
        ("cd /etc/apt", "changes the host"),
        ("openssl rand", "prints other bytes each time"),
        (".build/release/tactile-bridge run", "needs a bus and a broker"),
        ("tactile-bridge run", "needs a bus and a broker"),
        (".build/debug/tactile-simulator", "needs a bus, and runs until it is told to end"),
        ("sudo", "changes the host"),
        ("alias", "changes the reader's shell"),
        ("sudoedit", "changes the host"),
        ("journalctl", "needs systemd, and the installed service"),
        ("curl", "needs a bridge that serves figures"),
        ("tactile-bridge scan", "needs a bus"),
        ("mosquitto_sub", "needs a broker; its filter is checked"),
        ("mosquitto_pub", "needs a broker; its topic and payload are checked"),
        ("mosquitto_rr", "needs a broker; its topic and payload are checked"),
    ]

    /// The index of the entry for a command.
    static func index(_ command: String) -> Int? {
        all.firstIndex { command == $0.command || command.hasPrefix($0.command + " ") }
    }
}
