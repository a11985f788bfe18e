import VirtualDevices

/// The visible state of a device: the newest report of every kind.
struct Wearer: Hashable {
    let name: String
    /// The name of the device's family.
    let kind: String
    var isConnected = false
    var mode = ""
    /// The direction of the wearer, in degrees from magnetic north.
    var heading = 0
    var battery = ""
    var isOpenForPairing = false
    /// The intensity of each running motor in percent, by the motor's number.
    var motors: [Int: Int] = [:]
    var isVibrating = false
    /// The signed values of a robot's wheels: left front, right front, left rear, right rear.
    var wheels = [0, 0, 0, 0]
    var hasWeapon = false
    /// The position of a robot.
    var place = ""
    /// The newest tap, gesture or button press of the wearer, in words.
    var lastAction = ""

    init(name: String, kind: String = "belt") {
        self.name = name
        self.kind = kind
    }

    /// Applies a report; returns false if nothing visible has changed.
    mutating func take(_ event: Report.Event) -> Bool {
        let old = self
        switch event {
        case .link(let isConnected): self.isConnected = isConnected
        case .device(.feel(let motors)):
            self.motors = Dictionary(motors.map { ($0.motor, $0.intensity) }) { max($0, $1) }
        case .device(.other("mode", let details)): mode = details["mode"] ?? ""
        case .device(.other("heading", let details)): heading = details["heading"].flatMap { Int($0) } ?? 0
        case .device(.other("battery", let details)):
            let power = details["power"] ?? "battery"
            battery = "\(details["level"] ?? "?") %\(power == "battery" ? "" : ", \(power)")"
        case .device(.vibrate(let isOn)): isVibrating = isOn
        case .device(.wheels(let leftFront, let rightFront, let leftRear, let rightRear)):
            wheels = [leftFront, rightFront, leftRear, rightRear]
        case .device(.other("weapon", let details)): hasWeapon = details["on"] == "true"
        case .device(.other("pose", let details)):
            place =
                "\(details["x_mm"] ?? "?") mm right and \(details["y_mm"] ?? "?") mm ahead of its start, "
                + "heading \(details["heading"] ?? "?")°"
        case .device(.other("key", let details)): lastAction = "typed \(details["key"] ?? "")"
        case .device(.other("air_mouse", let details)): lastAction = "air-mouse \(details["state"] ?? "")"
        case .device(.other("pairing", let details)): isOpenForPairing = details["open"] == "true"
        case .write, .garbage, .error, .device: break
        }
        return self != old
    }

    private var motion: String {
        if wheels != [0, 0, 0, 0] { return "wheels \(wheels.map(String.init).joined(separator: " "))" }
        return isVibrating ? "[vibrates]" : "at rest"
    }

    /// The state of the device in one line.
    var line: String {
        let parts = [
            isConnected ? "connected" : "no connection", mode, battery.isEmpty ? "" : "battery \(battery)",
            isOpenForPairing ? "open for pairing" : "", motion, hasWeapon ? "weapon on" : "", place,
            lastAction,
        ]
        return "\(name): " + parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
