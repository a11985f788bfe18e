/// The settings of a family as its state machines use them: declared once, they are read as one value of a Swift type.
public struct SettingsHandle<Value: Sendable>: Sendable {
    /// The declarations of the settings.
    public let fields: [Field]
    private let decode: @Sendable (Arguments) -> Value?
    private let initial: Value

    /// Declares settings.
    ///
    /// - Parameters:
    ///   - initial: The values for settings that the configuration omits.
    ///   - fields: The keys, in order.
    public init(_ initial: Value, _ fields: [TakenField<Value>]) {
        self.fields = fields.map { $0.declaration(initial) }
        self.initial = initial
        decode = { fields.value($0.values, initial) }
    }

    /// Reads checked settings. Missing keys have their initial values.
    public func parse(_ settings: Arguments) -> Value { decode(settings) ?? initial }
}
