/// Declares a property of an exported object, and its first value.
///
/// The connection keeps the current value: `Get` and `GetAll` are answered from there. It changes by
/// `setProperties`.
public struct Property: Sendable {
    /// Who may do what.
    public enum Access: String, Sendable, Hashable {
        case read
        case write
        case readWrite = "readwrite"
    }

    /// What `PropertiesChanged` tells when the value changes.
    public enum Emission: String, Sendable, Hashable {
        /// The new value.
        case value = "true"
        /// Only that it has changed.
        case invalidation = "invalidates"
        /// Nothing, because it never changes.
        case constant = "const"
        case nothing = "false"
    }

    /// Receives what a caller wants a property to be.
    public typealias Setter = @Sendable (MethodCall, Value) async throws -> Void

    /// The name of the property.
    public let name: String
    /// Its type.
    public let type: ValueType
    /// The first value; nil if the property is absent for now.
    public let value: Value?
    /// Who may do what.
    public let access: Access
    /// What is told of changes.
    public let emits: Emission
    let setter: Setter?

    /// Declares a property.
    ///
    /// - Parameters:
    ///   - value: The first value; with nil the property is absent until it is set.
    ///   - setter: Called on the loop's thread for a caller's `Set`, with a value of the right type. It stores the
    ///     new value by `setProperties` if it agrees, and throws if not. Without one, a writable property simply
    ///     takes the value.
    public init(
        _ name: String, _ type: ValueType, _ value: Value? = nil, access: Access = .read,
        emits: Emission = .value, setter: Setter? = nil
    ) {
        self.name = name
        self.type = type
        self.value = value
        self.access = access
        self.emits = emits
        self.setter = setter
    }

    var isReadable: Bool { access != .write }
    var isWritable: Bool { access != .read }
}
