import DeviceKit

/// The belt's mode (`FSBeltMode`, `BeltMode`, pybelt's `BeltMode`).
enum BeltMode: UInt8, Named {
    /// The belt is about to switch off. Notified before the link closes.
    case standby = 0
    /// The belt waits for a button or a command.
    case wait = 1
    /// The belt vibrates toward magnetic north.
    case compass = 2
    /// The belt vibrates by commands of the client. Only while connected.
    case app = 3
    /// No vibration. The home and compass buttons change the intensity.
    case pause = 4
    /// The belt calibrates its sensors.
    case calibration = 5
    /// The belt vibrates toward the heading at the start of the mode; firmware 45 and newer.
    case crossing = 6

    /// Whether the mode interrupts the wearer's use of the belt, or switches it off.
    var needsConfirmation: Bool { self == .calibration || self == .standby }

    var name: String {
        switch self {
        case .standby: "standby"
        case .wait: "wait"
        case .compass: "compass"
        case .app: "app"
        case .pause: "pause"
        case .calibration: "calibration"
        case .crossing: "crossing"
        }
    }
}
