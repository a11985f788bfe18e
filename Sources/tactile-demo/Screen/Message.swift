import JSON

/// A message of the broker, in the form in which `mosquitto_sub -F %j` prints it.
struct Message: Hashable, Sendable {
    var topic: String
    var payload: String
    var isRetained: Bool

    /// Parses a line; nil if it is not a message.
    init?(_ line: String) {
        guard line.hasPrefix("{"), let json = try? JSON.Value(parsing: line.utf8),
            let topic = json["topic"]?.string
        else { return nil }
        self.topic = topic
        payload = json["payload"]?.string ?? ""
        isRetained = json["retain"]?.integer == 1
    }

    var json: JSON.Value { (try? JSON.Value(parsing: payload.utf8)) ?? .string(payload) }
}

extension Scene {
    /// The features whose messages are not shown as lines, because they are too frequent or too long. The picture shows
    /// their essential part.
    private static let silent: Set<String> = [
        "features", "info", "orientation", "connection", "last_seen", "device_name", "battery", "haptic",
        "status", "vibration", "intensity", "rssi", "stats", "keyboard", "home", "field_orientation",
        "input_mode", "notification",
    ]

    /// The first levels of topics that only programs use; their messages are not shown.
    private static let others: Set<String> = ["homeassistant", "claim", "roster"]

    /// Processes a message of the broker.
    mutating func take(_ message: Message, at moment: Moment) {
        guard message.topic.hasPrefix(prefix) else { return }
        let topic = String(message.topic.dropFirst(prefix.count))
        let levels = topic.split(separator: "/").map(String.init)
        guard let first = levels.first, let last = levels.last, !Self.others.contains(first) else { return }
        if first == "bridge" { return takeBridge(message, topic, levels, at: moment) }
        if last == "set", levels.count > 1 {
            return add(message.topic, message.payload, at: moment, .bold)
        }
        heard(first)
        picture(message, device: first, last, at: moment)
        guard !Self.silent.contains(last), !message.isRetained || last == "availability" else { return }
        if last == "result" { return takeResult(message, at: moment) }
        let isLost = last == "availability" && message.payload != "online"
        let words = Self.words(ofEvent: last, message.json)
        let style = last == "availability" ? (isLost ? Style.bad : .good) : .plain
        add(message.topic, words, at: moment, style)
    }

    private mutating func takeBridge(
        _ message: Message, _ topic: String, _ levels: [String], at moment: Moment
    ) {
        guard levels.count > 2 else { return }
        switch levels[2] {
        case "availability":
            set(bridge: message.payload)
            add(
                message.topic, message.payload, at: moment, message.payload == "online" ? .good : .bad,
                isPictured: true)
        case "request": add(message.topic, message.payload, at: moment, .bold)
        case "response":
            let isGood = message.json["status"]?.string == "ok"
            let words = isGood ? "ok" : message.json["message"]?.string ?? Self.words(of: message.json)
            add(message.topic, words, at: moment, isGood ? .good : .bad)
        case "event" where !message.isRetained:
            add(message.topic, Self.words(of: message.json), at: moment)
        default: break
        }
    }

    /// Processes the answer to a command. An error is shown with the bridge's message.
    private mutating func takeResult(_ message: Message, at moment: Moment) {
        let json = message.json
        let feature = json["feature"]?.string ?? ""
        if json["status"]?.string == "ok" { return add(message.topic, "\(feature) ok", at: moment, .good) }
        let code = json["code"]?.string ?? json["status"]?.string ?? "error"
        add(message.topic, "\(code): \(json["message"]?.string ?? feature)", at: moment, .bad)
    }

    /// Changes the state of the device that the picture shows, according to a message.
    private mutating func picture(_ message: Message, device: String, _ last: String, at moment: Moment) {
        switch (device, last) {
        case ("tap", "tapped"):
            tap.tapped = Set((message.json["fingers"]?.array ?? []).compactMap(\.string))
            tap.litUntil = moment.elapsed + Tap.lit
            tap.lastAction = Tap.fingers.filter(tap.tapped.contains).joined(separator: "+")
        case ("tap", "gesture"): tap.lastAction = message.json["gesture"]?.string ?? "gesture"
        case ("tap", "moused"):
            tap.lastAction =
                "mouse \(message.json["velocity_x"]?.integer ?? 0) \(message.json["velocity_y"]?.integer ?? 0)"
        case ("tap", "battery"): tap.battery = "\(message.json["level"].map { "\($0)" } ?? "?") %"
        case ("belt", "battery"): belt.battery = "\(message.json["level"].map { "\($0)" } ?? "?") %"
        case ("belt", "mode"): belt.mode = message.payload
        case ("robot", "status"): robot.hasPower = message.json["power"]?.bool == true
        default: break
        }
    }

    /// Returns the text for an event. Frequent events have the shortest text that distinguishes them.
    private static func words(ofEvent name: String, _ value: JSON.Value) -> String {
        switch name {
        case "tapped" where value["fingers"] != nil:
            let fingers = (value["fingers"]?.array ?? []).compactMap(\.string).joined(separator: "+")
            let count = value["repeat"]?.integer ?? 1
            return count > 1 ? "\(fingers), \(count) times" : fingers
        case "button" where value["press"] != nil:
            let (old, new) = (value["previous_mode"]?.string ?? "", value["mode"]?.string ?? "")
            let change = old == new ? "" : ", \(old) to \(new)"
            return "\(value["button"]?.string ?? "?"), \(value["press"]?.string ?? "?")\(change)"
        default: return words(of: value)
        }
    }

    /// Returns the text for a payload, without braces and without the time and number of an event.
    static func words(of value: JSON.Value) -> String {
        guard let object = value.object else { return value.string ?? "\(value)" }
        return object.members.compactMap { member in
            guard !["time", "seq"].contains(member.key), member.value != .null,
                member.value.array?.isEmpty != true, member.value.object?.isEmpty != true
            else { return nil }
            if member.key == "event" { return member.value.string }
            let text = member.value.array.map { $0.map { $0.string ?? "\($0)" }.joined(separator: "+") }
            return "\(member.key) \(text ?? member.value.string ?? "\(member.value)")"
        }.joined(separator: ", ")
    }
}
