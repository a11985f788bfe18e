public import JSON

/// Declares one way in which a person at home meets a feature: something to read, to set, to press, or to
/// react to.
///
/// It says what the thing is to a person; what a home automation makes of it is decided elsewhere, so that a
/// family knows none and none knows a family.
public struct Presentation: Hashable, Sendable {
    /// What a person does with it.
    public enum Kind: Hashable, Sendable {
        /// Reads a value: the report's plain one, or that of a field (`devices.online` for one within
        /// another).
        case reading(field: String?)
        /// Reads and sets a value.
        case control(Control)
        /// Presses it, which sends this payload.
        case action(payload: JSON.Value)
        /// Reacts to it. The values of these fields tell one from another; without a field there is one kind. Where they
        /// are one list of words, another field may say the same as bits.
        case happening(fields: [String], verb: String, bits: String?)
        /// Says something in free words; this field of the command takes the name of a haptic pattern.
        case message(field: String)
    }

    /// What a person looks for it under.
    public enum Purpose: String, Hashable, Sendable {
        /// Among what the device is for.
        case use
        /// Among its settings.
        case configuration
        /// Among what tells whether it is well.
        case diagnosis
    }

    /// What a value stands for, where type and unit do not say it.
    public enum Meaning: String, Hashable, Sendable {
        /// A charge.
        case battery
        /// Whether something can be reached; of two words the first says yes.
        case connectivity
        /// Whether something moves.
        case moving
        /// Whether something has power.
        case power
        /// Whether something is wrong.
        case problem
        /// Whether something is under way.
        case running
        /// A button that is pressed by hand.
        case button
        /// How much memory something takes.
        case memory
    }

    /// When it is shown at all.
    public indirect enum Condition: Hashable, Sendable {
        /// When this setting of the device, a boolean, is true.
        case setting(String)
        /// When the installation's configuration allows the device to be set in motion from there.
        case motion
        /// When both hold.
        case both(Condition, Condition)
    }

    /// What a person does with it.
    public var kind: Kind
    /// Its name beside the device's name: `Battery`.
    public var title: String
    /// What identifies it among those of its feature, for ever.
    public var id: String
    /// What the value stands for.
    public var meaning: Meaning?
    /// What the value stands for in Home Assistant's own word, such as `temperature`; goes before
    /// ``meaning``.
    public var deviceClass: String?
    /// What a person looks for it under.
    public var purpose: Purpose
    /// The name of a picture among the Material Design Icons: `compass`.
    public var icon: String?
    /// Whether it is there only for who asks for it, since few need it; nil if only a stream's values are,
    /// which change all the time.
    public var isHidden: Bool?
    /// Whether it holds while the device is away too.
    public var holdsOffline: Bool
    /// When it is shown at all.
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
    /// Something to read: the report's plain value, or a field's.
    public static func reading(
        _ title: String, of field: String? = nil, meaning: Meaning? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, offline: Bool = false, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .reading(field: field), title, id: field.map { $0.replacing(".", with: "_") } ?? "",
            meaning: meaning, purpose: purpose, icon: icon, hidden: hidden, offline: offline, when: condition)
    }

    /// Something to set.
    public static func control(
        _ title: String, of control: Control, meaning: Meaning? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .control(control), title, id: "set_\(control.field)", meaning: meaning, purpose: purpose,
            icon: icon, hidden: hidden, when: condition)
    }

    /// Something to press.
    ///
    /// - Parameter id: What identifies it among those of its feature; the payload if that is a word.
    public static func action(
        _ title: String, sends payload: JSON.Value, id: String? = nil, purpose: Purpose = .use,
        icon: String? = nil, hidden: Bool? = nil, offline: Bool = false, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .action(payload: payload), title, id: id ?? payload.string ?? "", meaning: nil, purpose: purpose,
            icon: icon, hidden: hidden, offline: offline, when: condition)
    }

    /// The verb of ``happening(_:by:verb:bits:meaning:icon:hidden:when:)`` for an event of which nothing better is known.
    public static let anyEvent = "reported"

    /// Something to react to.
    ///
    /// - Parameters:
    ///   - fields: The fields whose values, in this order, tell one from another: of words, or of a list of words.
    ///   - verb: What happened to it, in one word: `pressed`.
    ///   - bits: The field that says the same as the only one of `fields`, a list: its first word counts 1, the second
    ///     2, the third 4.
    public static func happening(
        _ title: String, by fields: [String] = [], verb: String, bits: String? = nil,
        meaning: Meaning? = nil, icon: String? = nil, hidden: Bool? = nil, when condition: Condition? = nil
    ) -> Presentation {
        Presentation(
            .happening(fields: fields, verb: verb, bits: bits), title, id: "", meaning: meaning,
            purpose: .use, icon: icon, hidden: hidden, when: condition)
    }

    /// A receiver of texts.
    public static func message(_ title: String, through field: String, icon: String? = nil) -> Presentation {
        Presentation(
            .message(field: field), title, id: "message", meaning: nil, purpose: .use, icon: icon,
            hidden: nil, when: nil)
    }
}
