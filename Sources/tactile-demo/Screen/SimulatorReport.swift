import JSON

/// A report of the simulator: a line of the output of `tactile-simulator --json`.
struct SimulatorReport: Hashable, Sendable {
    var device: String
    var event: String
    var json: JSON.Value

    /// Parses a line; nil if it is not a report.
    init?(_ line: String) {
        guard line.hasPrefix("{"), let json = try? JSON.Value(parsing: line.utf8),
            let event = json["event"]?.string
        else { return nil }
        device = json["device"]?.string ?? ""
        self.event = event
        self.json = json
    }
}

extension Scene {
    /// Processes a report of a simulated device.
    mutating func take(_ report: SimulatorReport, at moment: Moment) {
        let device = report.device
        switch report.event {
        case "ready", "key", "pointer": break
        case "error":
            add("?", report.json["message"]?.string ?? "not understood", at: moment, .bad)
        case "link":
            let isConnected = report.json["connected"]?.bool == true
            connect(device, isConnected)
            add(
                device, isConnected ? "is connected" : "has lost its link", at: moment,
                isConnected ? .good : .bad, isPictured: true)
        case "feel":
            guard device == "belt" else { break }
            let motors = report.json["motors"]?.array ?? []
            belt.motors = Dictionary(
                motors.compactMap { entry in
                    entry["motor"]?.integer.map { ($0, entry["intensity"]?.integer ?? 0) }
                }, uniquingKeysWith: max)
            add(device, belt.feeling, at: moment, isPictured: true)
        case "mode":
            guard device == "belt" else { break }
            belt.mode = report.json["mode"]?.string ?? ""
        case "heading":
            guard device == "belt" else { break }
            belt.heading = report.json["heading"]?.integer ?? 0
        case "battery":
            guard device == "belt" || device == "tap" else { break }
            let level = report.json["level"].map { $0.string ?? "\($0)" } ?? "?"
            let power = report.json["power"]?.string ?? "battery"
            let text = "\(level) %\(power == "battery" ? "" : ", \(power)")"
            if device == "belt" { belt.battery = text } else { tap.battery = text }
        case "vibrate":
            tap.isVibrating = report.json["on"]?.bool == true
            add(device, tap.isVibrating ? "vibrates" : "is at rest", at: moment, isPictured: true)
        case "wheels":
            robot.wheels = ["left_front", "right_front", "left_rear", "right_rear"]
                .map { report.json[$0]?.integer ?? 0 }
            add(device, "wheels \(robot.wheels)", at: moment, isPictured: true)
        case "pose":
            robot.move(
                to: .init(
                    x: report.json["x_mm"]?.integer ?? 0, y: report.json["y_mm"]?.integer ?? 0))
            robot.heading = report.json["heading"]?.integer ?? 0
        case "write":
            guard !["belt", "tap", "robot"].contains(device) else { break }
            let bytes = report.json["hex"]?.string ?? ""
            changeOther(device) { $0.written = bytes }
            add(device, "was written \(bytes)", at: moment, isPictured: true)
        default:
            var details = report.json.object ?? [:]
            for key in ["device", "event", "time"] { details[key] = nil }
            add(device, "\(report.event) \(Self.words(of: .object(details)))", at: moment)
        }
    }

    private mutating func connect(_ device: String, _ isConnected: Bool) {
        switch device {
        case "belt": belt.isConnected = isConnected
        case "tap": tap.isConnected = isConnected
        case "robot":
            robot.isConnected = isConnected
            if !isConnected { robot.hasPower = false }
        default: changeOther(device) { $0.isConnected = isConnected }
        }
    }
}

extension Belt {
    /// The vibration of the belt as text.
    var feeling: String {
        guard let strongest = motors.values.max(), strongest > 0 else { return "is at rest" }
        let names = motors.filter { $0.value > 0 }.keys.sorted()
        if names.count == Self.motorCount { return "all motors at \(strongest) %" }
        let list = names.prefix(6).map(String.init).joined(separator: " ")
        return "motor\(names.count == 1 ? "" : "s") \(list)\(names.count > 6 ? " …" : "") at \(strongest) %"
    }
}
