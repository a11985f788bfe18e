import VirtualDevices

/// What is to be seen of one device: the last word of every kind of report.
struct Wearer: Hashable {
    let name: String
    var isConnected = false
    var mode = ""
    /// In degrees from magnetic north.
    var heading = 0
    var battery = ""
    var isOpenForPairing = false
    /// Percent by motor.
    var motors: [Int: Int] = [:]

    init(name: String) { self.name = name }

    /// Takes a report over; false if it shows nothing new.
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
        case .device(.other("pairing", let details)): isOpenForPairing = details["open"] == "true"
        case .write, .error, .device: break
        }
        return self != old
    }
}
