/// The belt's mode (`FSBeltMode`, `BeltMode`, pybelt's `BeltMode`).
package enum Mode: UInt8, Named {
    /// About to switch off; announced before the link closes.
    case standby = 0
    /// Waits for a button or a command.
    case wait
    /// Vibrates toward magnetic north.
    case compass
    /// Vibrates as the client says; only while connected.
    case app
    /// No vibration; home and compass change the intensity.
    case pause
    /// Calibrates its sensors.
    case calibration
    /// Vibrates toward the heading at the start of the mode; firmware 45 and newer.
    case crossing

    /// The name in topics.
    package var name: String {
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
