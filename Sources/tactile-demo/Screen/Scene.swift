import Terminal

/// What is to be seen of the demonstration: the devices, the last events, and what is being typed.
package struct Scene: Hashable, Sendable {
    /// A moment: the time since the start, and what a clock on the wall shows then.
    package struct Moment: Hashable, Sendable {
        package var elapsed: Duration
        package var clock: String

        package init(elapsed: Duration, clock: String) {
            self.elapsed = elapsed
            self.clock = clock
        }
    }

    /// Something that happened, in one line.
    package struct Event: Hashable, Sendable {
        package var clock: String
        /// The topic, or the device.
        package var subject: String
        package var words: String
        package var style: Style
        /// Whether the picture shows it: only a text without a picture needs the line.
        package var isPictured: Bool

        /// The line as text.
        package var line: String { "\(clock)  \(subject)  \(words)" }
    }

    package var belt = Belt()
    package var tap = Tap()
    package var robot = Robot()
    /// The other devices, in the order in which they were heard of.
    package private(set) var others: [Other] = []
    package private(set) var events: [Event] = []
    /// How many events there have been.
    package private(set) var eventCount = 0
    /// The first levels of the topics on which devices and groups spoke.
    private var speakers: Set<String> = []
    /// The bridge's availability.
    package private(set) var bridge = "starting"

    package var broker = ""
    /// What all topics begin with: `demo/`, or nothing.
    package var prefix = ""
    /// Where the console is, if there is one.
    package var link: String?
    package var hints = Hints()
    /// Which page of the hints is shown.
    package var page = 0
    /// The line that is being typed, and where in it; nil where nothing can be typed.
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

    /// How many events are kept.
    static let mostEvents = 200
    /// How many other devices are.
    static let mostOthers = 16

    package init() {}

    /// Remembers something that happened.
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

    /// Takes a line that the simulator, the broker or the bridge's log said.
    ///
    /// - Parameter line: A report of the simulator, a message as `mosquitto_sub -F %j` prints it, or any other text.
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

    /// Takes a whole line that was typed.
    ///
    /// - Returns: What becomes of it.
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
                "\(word) is a command of the shell: type it in a second terminal. "
                    + "Here go lines such as: belt press home, or belt/stop/set all", at: moment, .bad)
            return .nothing
        }
        if ["help", "quit", "exit", "q"].contains(word) {
            add("?", "Ctrl-C ends the demonstration; Enter shows more of what can be typed", at: moment, .bad)
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

    /// Says so if a command goes to a device that is not there: no bridge answers that. So it is with a message on what a
    /// device publishes.
    private mutating func answer(nobodyAt levels: [String], at moment: Moment) {
        guard let first = levels.first, !speakers.isEmpty else { return }
        guard levels.last == "set" else {
            guard speakers.contains(first), first != "bridge" else { return }
            let topic = levels.joined(separator: "/")
            return add(
                "?", "\(topic) is what the bridge publishes; a command goes to \(topic)/set", at: moment, .bad
            )
        }
        guard !speakers.contains(first), first != "all" else { return }
        let names = speakers.sorted().joined(separator: ", ")
        add("?", "there is no \(first), and nobody answers; there are: \(names), all", at: moment, .bad)
    }

    /// A device or a group spoke.
    mutating func heard(_ speaker: String) {
        if speakers.count < Self.mostOthers { speakers.insert(speaker) }
    }

    mutating func set(bridge availability: String) { bridge = availability }

    /// Changes another device, which is new if it was never heard of.
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

/// What becomes of a line that was typed.
package enum Typed: Hashable, Sendable {
    /// It was for the screen.
    case nothing
    /// It is something that happens to a device.
    case act(String)
    case message(topic: String, payload: String)
}
