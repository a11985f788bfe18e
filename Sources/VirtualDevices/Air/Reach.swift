/// Says whether a host hears a device, and how strongly.
public enum Reach: Hashable, Sendable {
    /// It does, at so many dBm.
    case heard(Int)
    /// The device is too far away.
    case out

    /// The signal strengths that can be meant, in dBm: those of an HCI event (Core Specification, Vol 4, Part E,
    /// 7.7.65.2).
    static let levels = -127...20

    /// What can be written for a reach.
    static let expected = "dBm from \(levels.lowerBound) to \(levels.upperBound), or off"

    /// Reads `-50`, or `off` for a device that is too far away; nil for anything else.
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

/// Says how a host hears a device from now on.
public struct Placement: Hashable, Sendable {
    /// The host's name.
    public var host: String
    /// How it hears the device.
    public var reach: Reach

    /// Makes a placement.
    public init(host: String, reach: Reach) {
        self.host = host
        self.reach = reach
    }
}
