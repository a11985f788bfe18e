/// An action of the soak.
enum SoakAction: Hashable, Sendable {
    case command(Order)
    /// The wearer taps the next combination in the sequence.
    case tap(Fleet.Device)
    /// The wearer taps thirty times in quick succession.
    case burst(Fleet.Device)
    /// The wearer presses a button.
    case press(Fleet.Device, String)
    /// The connection is lost.
    case drop(Fleet.Device)
    /// The device goes out of range, or comes back.
    case mute(Fleet.Device, Bool)
    /// This number of invalid notifications is sent on each characteristic.
    case garbage(Fleet.Device, Int)
    /// An adapter is switched on or off.
    case adapter(Int, isOn: Bool)
    case stopBroker
    case startBroker
    case freezeBroker
    case thawBroker
    /// `org.bluez` is killed and started again.
    case restartBlueZ
    /// The configuration file changes and is reloaded, either by request or by signal.
    case reload(Fleet.Change, byRequest: Bool)

    /// The affected device; nil if several are affected.
    var device: Fleet.Device? {
        switch self {
        case .tap(let device), .burst(let device), .press(let device, _), .drop(let device),
            .mute(let device, _), .garbage(let device, _):
            device
        default: nil
        }
    }

    /// A command, as a client publishes it.
    struct Order: Hashable, Sendable {
        enum Target: Hashable, Sendable {
            case device(Fleet.Device)
            case group(String)
            case bridge
            /// A request to the bridge that names the device.
            case about(Fleet.Device)
        }

        /// How the sender requests the answer.
        enum Question: Hashable, Sendable {
            /// With `id` in the object; the answer arrives on the device's result topic.
            case id
            /// With a Response Topic and Correlation Data.
            case response
        }

        var target: Target
        var feature: String
        /// The fields of an object; nil if `text` is the payload.
        var fields: String?
        /// A payload that is not an object.
        var text = ""
        var question: Question
        /// The lease of a drive command, in milliseconds; nil for other commands.
        var lease: Int?
    }
}
