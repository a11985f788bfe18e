import DeviceKit

/// The belt's mode (`FSBeltMode`, `BeltMode`, pybelt's `BeltMode`).
enum BeltMode: UInt8, Named {
    /// About to switch off; announced before the link closes.
    case standby = 0
    /// Waits for a button or a command.
    case wait = 1
    /// Vibrates toward magnetic north.
    case compass = 2
    /// Vibrates as the client says; only while connected.
    case app = 3
    /// No vibration; home and compass change the intensity.
    case pause = 4
    /// Calibrates its sensors.
    case calibration = 5
    /// Vibrates toward the heading at the start of the mode; firmware 45 and newer.
    case crossing = 6

    /// Whether it takes the belt away from its wearer, or switches it off.
    var needsConfirmation: Bool { self == .calibration || self == .standby }

    /// The name in topics.
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
