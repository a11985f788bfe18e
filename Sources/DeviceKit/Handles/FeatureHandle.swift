public import JSON

/// A feature as a device's state machine uses it: declared once, it publishes values of the type `Value` and reads
/// commands of the type `Asked`.
///
/// If `Value` is `Never`, the feature has no report. If `Asked` is `Never`, the feature has no command.
public struct FeatureHandle<Value: Sendable, Asked: Sendable>: Sendable {
    /// Finds the JSON key for a key path, so that the declaration of a presentation can name keys without repeating
    /// their text.
    public struct Names: Sendable {
        let says: Saying<Value>?
        let takes: Taking<Asked>?

        /// Returns the name of the key that contains the property at this key path of the published value.
        public func said(_ path: PartialKeyPath<Value>) -> String {
            guard let says else { preconditionFailure("the feature publishes nothing") }
            return says.name(path)
        }

        /// Returns the name of the key that sets the property at this key path of the command.
        public func taken(_ path: PartialKeyPath<Asked>) -> String {
            guard let takes else { preconditionFailure("the feature takes nothing") }
            return takes.name(path)
        }
    }

    /// The declaration, from which the parsing of commands, the reference, the access list and the discovery messages
    /// are derived.
    public let feature: Feature
    /// The names of the keys of the report and of the command.
    public let names: Names
    private let encode: (@Sendable (Value) -> JSON.Value)?
    @usableFromInline let decode: (@Sendable (Arguments) -> Asked?)?

    private init(
        _ name: String, _ summary: String, _ says: Saying<Value>?, _ takes: Taking<Asked>?,
        _ isPrivate: Bool, _ shown: (Names) -> [Presentation]
    ) {
        names = Names(says: says, takes: takes)
        (encode, decode) = (says?.encode, takes?.decode)
        var feature = Feature(
            name, summary, report: says?.report, command: takes?.command, shown: shown(names))
        feature.isPrivate = isPrivate
        self.feature = feature
    }

    /// Declares a feature with a report and a command.
    public init(
        _ name: String, _ summary: String, says: Saying<Value>, takes: Taking<Asked>,
        isPrivate: Bool = false, shown: (Names) -> [Presentation] = { _ in [] }
    ) {
        self.init(name, summary, says, takes, isPrivate, shown)
    }

    /// The last level of the topic.
    public var name: String { feature.name }

    /// Returns the published JSON form of a value.
    public func report(_ value: Value) -> JSON.Value {
        guard let encode else { preconditionFailure("\(name) publishes nothing") }
        return encode(value)
    }

    /// Publishes a value of the feature.
    public func publish(_ value: Value, _ effects: inout Effects) {
        effects.publish(name, report(value))
    }

    /// Reads the checked arguments of a command.
    ///
    /// - Throws: `internal` for arguments that do not fit the declaration. Users cannot cause this error.
    @inlinable
    public func parse(_ arguments: Arguments) throws(CommandError) -> Asked {
        guard let value = decode?(arguments) else { throw .unreadable }
        return value
    }

    /// Returns the arguments that express a command, the inverse of ``parse(_:)``.
    public func arguments(_ asked: Asked) -> Arguments {
        Arguments(names.takes?.fields.object(of: asked) ?? [:])
    }

    /// Matches a feature in a `switch` over a command's name.
    public static func ~= (handle: Self, name: String) -> Bool { handle.name == name }
}

extension FeatureHandle where Asked == Never {
    /// Declares a feature that only publishes.
    public init(
        _ name: String, _ summary: String, says: Saying<Value>, isPrivate: Bool = false,
        shown: (Names) -> [Presentation] = { _ in [] }
    ) {
        self.init(name, summary, says, nil, isPrivate, shown)
    }
}

extension FeatureHandle where Value == Never {
    /// Declares a feature that only takes commands.
    public init(
        _ name: String, _ summary: String, takes: Taking<Asked>,
        shown: (Names) -> [Presentation] = { _ in [] }
    ) {
        self.init(name, summary, nil, takes, false, shown)
    }
}
