public import Bluetooth

/// What is needed of a device for a link to be of use.
public struct Requirements: Hashable, Sendable {
    /// The characteristics without which the device cannot be used.
    public var required: [CharacteristicID]
    /// The characteristics that are waited for a moment, but are not needed.
    public var optional: [CharacteristicID]
    /// Whether it goes before others that want to be connected.
    public var isUrgent: Bool

    /// Makes requirements.
    public init(
        required: [CharacteristicID] = [], optional: [CharacteristicID] = [], isUrgent: Bool = false
    ) {
        self.required = required
        self.optional = optional
        self.isUrgent = isUrgent
    }
}
