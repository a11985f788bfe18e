public import JSON

/// Declares one way in which home automation shows a feature: something to read, to set, to press, or to react to.
///
/// It describes the thing for users. The mapping to a home automation system is elsewhere, so that families and such
/// systems do not depend on each other.
public struct Presentation: Hashable, Sendable {
    /// How the user interacts with it.
    public enum Kind: Hashable, Sendable {
        /// A value to read: the plain report, or a field of it (`devices.online` for a field of a nested object).
        case reading(field: String?)
        /// A value to read and set.
        case control(Control)
        /// A button that sends this payload.
        case action(payload: JSON.Value)
        /// An event to react to. The values of these fields distinguish the kinds of event; without a field there is
        /// one kind. If the only field is a list of words, `bits` can name a field with the same value as bits.
        case happening(fields: [String], verb: String, bits: String?)
        /// A text to send. This field of the command takes the name of a haptic pattern.
        case message(field: String)
    }

    /// The group in which users find it.
    public enum Purpose: String, Hashable, Sendable {
        /// The main purpose of the device.
        case use
        /// The settings of the device.
        case configuration
        /// The health of the device.
        case diagnosis
    }

    /// The quantity of a value, if type and unit do not show it.
    public enum Meaning: String, Hashable, Sendable {
        /// A battery charge.
        case battery
        /// Whether something is reachable. Of two words, the first means yes.
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
        /// A memory size.
        case memory
    }

    /// The condition under which it is shown.
    public indirect enum Condition: Hashable, Sendable {
        /// If this setting of the device, a Boolean, is true.
        case setting(String)
        /// If the configuration allows home automation to set the device in motion.
        case motion
        /// If both conditions are met.
        case both(Condition, Condition)
    }

    /// How the user interacts with it.
    public var kind: Kind
    /// Its name after the device's name: `Battery`.
    public var title: String
    /// Identifies it among the presentations of its feature. It must never change.
    public var id: String
    /// The quantity of the value.
    public var meaning: Meaning?
    /// The Home Assistant device class, such as `temperature`. It takes precedence over ``meaning``.
    public var deviceClass: String?
    /// The group in which users find it.
    public var purpose: Purpose
    /// The name of one of the Material Design Icons: `compass`.
    public var icon: String?
    /// Whether it is disabled by default, because few users need it. If nil, only values of streams are, because they
    /// change all the time.
    public var isHidden: Bool?
    /// Whether it stays valid while the device is offline.
    public var holdsOffline: Bool
    /// The condition under which it is shown.
    public var condition: Condition?

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
    /// A value to read: the plain report, or one field.
    public static func reading(
        _ title: String, of field: String? = nil, meaning: Meaning? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, offline: Bool = false, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .reading(field: field), title, id: field.map { $0.replacing(".", with: "_") } ?? "",
            meaning: meaning, purpose: purpose, icon: icon, hidden: hidden, offline: offline, when: condition)
    }

    /// A value to set.
    public static func control(
        _ title: String, of control: Control, meaning: Meaning? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .control(control), title, id: "set_\(control.field)", meaning: meaning, purpose: purpose,
            icon: icon, hidden: hidden, when: condition)
    }

    /// A button.
    ///
    /// - Parameter id: Identifies it among the presentations of its feature; by default the payload, if that is a
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

    /// An event to react to.
    ///
    /// - Parameters:
    ///   - fields: The fields whose values, in this order, distinguish the kinds of event. They contain words, or a
    ///     list of words.
    ///   - verb: The event in one word: `pressed`.
    ///   - bits: The field with the same value as the only one of `fields`, a list, as bits: its first word counts 1,
    ///     the second 2, the third 4.
    public static func happening(
        _ title: String, by fields: [String] = [], verb: String, bits: String? = nil,
        meaning: Meaning? = nil, icon: String? = nil, hidden: Bool? = nil, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .happening(fields: fields, verb: verb, bits: bits), title, id: "", meaning: meaning,
            purpose: .use, icon: icon, hidden: hidden, when: condition)
    }

    /// A text to send.
    public static func message(_ title: String, through field: String, icon: String? = nil) -> Presentation {
        Presentation(
            .message(field: field), title, id: "message", meaning: nil, purpose: .use, icon: icon,
            hidden: nil, when: nil)
    }
}
