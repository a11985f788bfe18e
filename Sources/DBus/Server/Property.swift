/// A property of an exported object with its initial value.
///
/// The connection stores the current value, and answers `Get` and `GetAll` with it. `setProperties` changes it.
public struct Property: Sendable {
    /// The access rights of callers.
    public enum Access: String, Sendable, Hashable {
        case read
        case write
        case readWrite = "readwrite"
    }

    /// The content of `PropertiesChanged` after a change of the value.
    public enum Emission: String, Sendable, Hashable {
        /// The new value.
        case value = "true"
        /// Only the fact that the value has changed.
        case invalidation = "invalidates"
        /// Nothing, because the value never changes.
        case constant = "const"
        case nothing = "false"
    }

    /// Handles a caller's request to set a property.
    public typealias Setter = @Sendable (MethodCall, Value) async throws -> Void

    /// The name of the property.
    public let name: String
    /// The type of the value.
    public let type: ValueType
    /// The initial value; nil if the property is initially absent.
    public let value: Value?
    /// The access rights of callers.
    public let access: Access
    /// The content of `PropertiesChanged` after a change.
    public let emits: Emission
    let setter: Setter?

    /// Creates a declaration of a property.
    ///
    /// - Parameters:
    ///   - value: The initial value; with nil the property is absent until it is set.
    ///   - setter: Called on the loop's thread for a caller's `Set`, with a value of the right type. It stores the new
    ///     value with `setProperties`, or throws to reject it. Without a setter, a writable property accepts every
    ///     value.
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
