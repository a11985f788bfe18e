import Terminal

/// The visible state of the demonstration: the devices, the newest events, and the input line.
package struct Scene: Hashable, Sendable {
    /// A moment: the time since the start, and the time of day.
    package struct Moment: Hashable, Sendable {
        package var elapsed: Duration
        package var clock: String

        package init(elapsed: Duration, clock: String) {
            self.elapsed = elapsed
            self.clock = clock
        }
    }

    /// An event in one line.
    package struct Event: Hashable, Sendable {
        package var clock: String
        /// The topic or the device that the event is about.
        package var subject: String
        package var words: String
        package var style: Style
        /// Whether the picture shows the event, so that the line is printed only without a picture.
        package var isPictured: Bool

        package var line: String { "\(clock)  \(subject)  \(words)" }
    }

    package var belt = Belt()
    package var tap = Tap()
    package var robot = Robot()
    /// The devices that are neither a belt, a TAP nor a robot, in the order of their first messages.
    package private(set) var others: [Other] = []
    package private(set) var events: [Event] = []
    /// The number of events since the start.
    package private(set) var eventCount = 0
    /// The names of the devices and groups that have published a message; a name is the first level of a topic.
    private var speakers: Set<String> = []
    /// The bridge's availability.
    package private(set) var bridge = "starting"

    package var broker = ""
    /// The prefix of all topics: `demo/`, or nothing.
    package var prefix = ""
    /// The address of the console, if there is one.
    package var link: String?
    package var hints = Hints()
    /// The index of the displayed page of hints.
    package var page = 0
    /// The input line and the index of the cursor; nil if there is no input.
    package var typed: (text: [Character], cursor: Int)? {
        get { typing.map { ($0.text, $0.cursor) } }
        set { typing = newValue.map { Typing(text: $0.text, cursor: $0.cursor) } }
    }
    private var typing: Typing?
    package var now = Duration.zero

    private struct Typing: Hashable, Sendable {
        var text: [Character]
        var cursor: Int
    }

    /// The maximum number of remembered events.
    static let mostEvents = 200
    /// The maximum number of devices in ``others``.
    static let mostOthers = 16

    package init() {}

    mutating func add(
        _ subject: String, _ words: String, at moment: Moment, _ style: Style = .plain,
        isPictured: Bool = false
    ) {
        events.append(
            Event(
                clock: moment.clock, subject: subject.printable, words: words.printable, style: style,
                isPictured: isPictured))
        eventCount += 1
        if events.count > Self.mostEvents { events.removeFirst(events.count - Self.mostEvents) }
    }

    /// Processes a line of the simulator, the broker or the bridge's log.
    ///
    /// - Parameter line: A report of the simulator, a message in the form of `mosquitto_sub -F %j`, or any other text.
    package mutating func take(_ line: String, at moment: Moment) {
        now = moment.elapsed
        guard !line.isEmpty else { return }
        if let message = Message(line) {
            take(message, at: moment)
        } else if let report = SimulatorReport(line) {
            take(report, at: moment)
        } else {
            add("log", line, at: moment, .bad)
        }
    }

    /// Processes a typed line.
    ///
    /// - Returns: The action for the caller.
    package mutating func type(_ line: String, at moment: Moment) -> Typed {
        let line = String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        guard let word = line.split(separator: " ").first else {
            page += 1
            return .nothing
        }
        add(">", line, at: moment, .bold)
        if ["mosquitto_pub", "mosquitto_sub", "mosquitto_rr", "cp", "tactile-bridge"].contains(word)
            || word.hasPrefix(".") || word.hasPrefix("/")
        {
            add(
                "?",
                "\(word) is a shell command: type it in a second terminal. "
                    + "Type lines here such as: belt press home, or belt/stop/set all", at: moment, .bad)
            return .nothing
        }
        if ["help", "quit", "exit", "q"].contains(word) {
            add(
                "?", "Ctrl-C ends the demonstration; Enter shows more lines that you can type", at: moment,
                .bad)
            return .nothing
        }
        guard word.contains("/") else { return .act(line) }
        guard !word.contains("+"), !word.contains("#") else {
            add("?", "\(word): a message goes to one topic, without + and #", at: moment, .bad)
            return .nothing
        }
        answer(nobodyAt: word.split(separator: "/").map(String.init), at: moment)
        let payload = line.dropFirst(word.count).drop { $0 == " " }
        return .message(topic: String(word), payload: String(payload))
    }

    /// Adds an error for a message that no bridge answers: a command to a device that does not exist, or a message on a
    /// topic that a device itself publishes.
    private mutating func answer(nobodyAt levels: [String], at moment: Moment) {
        guard let first = levels.first, !speakers.isEmpty else { return }
        guard levels.last == "set" else {
            guard speakers.contains(first), first != "bridge" else { return }
            let topic = levels.joined(separator: "/")
            return add(
                "?", "the bridge publishes \(topic); send commands to \(topic)/set", at: moment, .bad
            )
        }
        guard !speakers.contains(first), first != "all" else { return }
        let names = speakers.sorted().joined(separator: ", ")
        add("?", "there is no device \(first); there are: \(names), all", at: moment, .bad)
    }

    /// Records that a device or a group has published a message.
    mutating func heard(_ speaker: String) {
        if speakers.count < Self.mostOthers { speakers.insert(speaker) }
    }

    mutating func set(bridge availability: String) { bridge = availability }

    /// Changes a device in ``others``, or adds it.
    mutating func changeOther(_ name: String, _ change: (inout Other) -> Void) {
        if let index = others.firstIndex(where: { $0.name == name }) {
            change(&others[index])
        } else if others.count < Self.mostOthers {
            var other = Other(name: name)
            change(&other)
            others.append(other)
        }
    }
}

/// What the caller has to do with a typed line.
package enum Typed: Hashable, Sendable {
    /// Nothing: the screen has processed the line.
    case nothing
    /// Send this action to the simulator.
    case act(String)
    case message(topic: String, payload: String)
}
