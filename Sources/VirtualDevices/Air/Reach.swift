/// Whether and how strongly a host receives a device.
public enum Reach: Hashable, Sendable {
    /// The device is in range, with this signal strength in dBm.
    case heard(Int)
    /// The device is out of range.
    case out

    /// The range of signal strengths in dBm that an HCI event can report (Core Specification, Vol 4, Part E, 7.7.65.2).
    static let levels = -127...20

    /// The allowed values as text for error messages.
    static let expected = "dBm from \(levels.lowerBound) to \(levels.upperBound), or off"

    /// Parses `-50`, or `off` for a device that is out of range; nil for anything else.
    init?(_ word: some StringProtocol) {
        if word == "off" {
            self = .out
        } else if let level = Int(word), Self.levels.contains(level) {
            self = .heard(level)
        } else {
            return nil
        }
    }
}

/// A change of whether and how strongly one host receives a device.
public struct Placement: Hashable, Sendable {
    /// The name of the host.
    public var host: String
    /// What the host receives of the device from now on.
    public var reach: Reach

    /// Creates a change of what one host receives of a device.
    public init(host: String, reach: Reach) {
        self.host = host
        self.reach = reach
    }
}
