public import JSON

/// Declares one way in which home automation shows a feature: something to read, to set, to press, or to react to.
///
/// A presentation describes the feature for users. The module `HomeAssistant` maps presentations to Home Assistant, so
/// that families and home automation systems do not depend on each other.
public struct Presentation: Hashable, Sendable {
    /// What the user can do with the feature: read it, set it, press a button, react to it, or send it a text.
    public enum Kind: Hashable, Sendable {
        /// A value to read: the plain report, or a field of it (`devices.online` for a field of a nested object).
        case reading(field: String?)
        /// A value to read and set.
        case control(Control)
        /// A button that sends this payload.
        case action(payload: JSON.Value)
        /// An event to react to. The values of `fields` distinguish the kinds of event; without fields there is one
        /// kind. If the only field is a list of words, `bits` can name another field that contains the same list as a
        /// bit mask.
        case happening(fields: [String], verb: String, bits: String?)
        /// A text that the user sends, such as a notification. The bridge receives it as a command in which the key
        /// `field` contains the name of a haptic pattern.
        case message(field: String)
        /// A light to read and set.
        case light(Light)
    }

    /// The section in which users find the feature.
    public enum Purpose: String, Hashable, Sendable {
        /// The section for the main purpose of the device.
        case use
        /// The section for settings of the device.
        case configuration
        /// The section for the health of the device.
        case diagnosis
    }

    /// The quantity that a value measures, if the value's type and unit do not show it.
    public enum Meaning: String, Hashable, Sendable {
        /// The charge of a battery.
        case battery
        /// Whether something is reachable. If the value is one of two words, the first word means yes.
        case connectivity
        /// Whether something moves.
        case moving
        /// Whether something has power.
        case power
        /// Whether something is wrong.
        case problem
        /// Whether something is in progress.
        case running
        /// A button that is pressed by hand.
        case button
        /// A size of memory.
        case memory
    }

    /// The condition under which the presentation is shown.
    public indirect enum Condition: Hashable, Sendable {
        /// The presentation is shown if this setting of the device, a Boolean, is true.
        case setting(String)
        /// The presentation is shown if the configuration allows home automation to set the device in motion.
        case motion
        /// The presentation is shown if both conditions are met.
        case both(Condition, Condition)
    }

    /// How the user interacts with the feature.
    public var kind: Kind
    /// The name of the presentation, shown after the device's name: `Battery`.
    public var title: String
    /// The identifier of the presentation within its feature. It must never change.
    public var id: String
    /// The quantity that the value measures.
    public var meaning: Meaning?
    /// The Home Assistant device class, such as `temperature`, which takes precedence over ``meaning``.
    public var deviceClass: String?
    /// The section in which users find the feature.
    public var purpose: Purpose
    /// The name of one of the Material Design Icons: `compass`.
    public var icon: String?
    /// Whether the presentation is disabled by default, because few users need it. If nil, only the values of streams
    /// are disabled by default, because they change all the time.
    public var isHidden: Bool?
    /// Whether the presentation stays available while the device is offline.
    public var holdsOffline: Bool
    /// The condition under which the presentation is shown.
    public var condition: Condition?
    /// Whether a value with two words is shown as a yes or a no: the first word means yes.
    public var isBinary = false

    private init(
        _ kind: Kind, _ title: String, id: String, meaning: Meaning?, purpose: Purpose, icon: String?,
        hidden: Bool?, offline: Bool = false, when condition: Condition?
    ) {
        self.kind = kind
        self.title = title
        self.id = id
        self.meaning = meaning
        self.purpose = purpose
        self.icon = icon
        isHidden = hidden
        holdsOffline = offline
        self.condition = condition
    }
}

extension Presentation {
    /// Declares a value to read: the plain report, or one field of it.
    public static func reading(
        _ title: String, of field: String? = nil, meaning: Meaning? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, offline: Bool = false, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .reading(field: field), title, id: field.map { $0.replacing(".", with: "_") } ?? "",
            meaning: meaning, purpose: purpose, icon: icon, hidden: hidden, offline: offline, when: condition)
    }

    /// Declares a value that the user can read and set.
    public static func control(
        _ title: String, of control: Control, meaning: Meaning? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .control(control), title, id: "set_\(control.field)", meaning: meaning, purpose: purpose,
            icon: icon, hidden: hidden, when: condition)
    }

    /// Declares a button.
    ///
    /// - Parameter id: The identifier of the button within its feature; by default the payload, if the payload is a
    ///   word.
    public static func action(
        _ title: String, sends payload: JSON.Value, id: String? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, offline: Bool = false, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .action(payload: payload), title, id: id ?? payload.string ?? "", meaning: nil, purpose: purpose,
            icon: icon, hidden: hidden, offline: offline, when: condition)
    }

    /// The verb of ``happening(_:by:verb:bits:meaning:icon:hidden:when:)`` for events without a more specific verb.
    public static let anyEvent = "reported"

    /// Declares an event to react to.
    ///
    /// - Parameters:
    ///   - fields: The fields whose values, in this order, distinguish the kinds of event. Each contains a word or a
    ///     list of words.
    ///   - verb: The event in one word: `pressed`.
    ///   - bits: The field that contains the only list of `fields` as bits: the first word of the list has the value 1,
    ///     the second word 2, the third word 4.
    public static func happening(
        _ title: String, by fields: [String] = [], verb: String, bits: String? = nil,
        meaning: Meaning? = nil, icon: String? = nil, hidden: Bool? = nil, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .happening(fields: fields, verb: verb, bits: bits), title, id: "", meaning: meaning,
            purpose: .use, icon: icon, hidden: hidden, when: condition)
    }

    /// Declares a text that the user sends. The command's key `field` receives the name of a haptic pattern.
    public static func message(_ title: String, through field: String, icon: String? = nil) -> Presentation {
        Presentation(
            .message(field: field), title, id: "message", meaning: nil, purpose: .use, icon: icon,
            hidden: nil, when: nil)
    }

    /// Declares a light.
    public static func light(_ title: String, _ light: Light, icon: String? = nil) -> Presentation {
        Presentation(
            .light(light), title, id: "light", meaning: nil, purpose: .use, icon: icon, hidden: nil, when: nil
        )
    }
}
