/// Something that happens in the soak.
enum Deed: Hashable, Sendable {
    /// A command, and what it is about.
    case command(Order)
    /// The wearer taps, in his own order of combinations.
    case tap(Fleet.Device)
    /// The wearer taps thirty times at once.
    case burst(Fleet.Device)
    /// The wearer presses a button.
    case press(Fleet.Device, String)
    /// The link is lost.
    case drop(Fleet.Device)
    /// The device is out of reach, or back.
    case mute(Fleet.Device, Bool)
    /// So many senseless notifications on each characteristic.
    case garbage(Fleet.Device, Int)
    /// An adapter is switched on or off.
    case adapter(Int, isOn: Bool)
    case stopBroker
    case startBroker
    case freezeBroker
    case thawBroker
    /// `org.bluez` is killed, and another one takes its place.
    case restartBlueZ
    /// The configuration file changes and is read anew: for a request, or else for a signal.
    case reload(Fleet.Change, byRequest: Bool)

    /// The device that it happens to; nil if it happens to more than one.
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

        /// How the sender asks for the answer.
        enum Question: Hashable, Sendable {
            /// With `id` in the object, the answer to the device's result.
            case id
            /// With a Response Topic and Correlation Data.
            case response
        }

        var target: Target
        var feature: String
        /// The fields of an object; nil if `text` is the payload.
        var fields: String?
        /// A payload that is no object.
        var text = ""
        var question: Question
        /// How long the robot may move for it, in milliseconds; nil for what is no drive.
        var lease: Int?
    }
}
