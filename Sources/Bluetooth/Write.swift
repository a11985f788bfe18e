/// One write to a characteristic.
public struct Write: Hashable, Sendable {
    /// How it is written.
    public enum Kind: Hashable, Sendable {
        /// A write request: the device acknowledges it.
        case withResponse
        /// A write command: the device does not acknowledge it.
        case withoutResponse
    }

    /// Its place among what waits.
    public enum Priority: Hashable, Sendable {
        /// Behind all that waits; such operations go out one after another, in order.
        case normal
        /// Ahead of all that waits with normal priority (a keep-alive's answer).
        case ahead
        /// Ahead of everything; the writes that wait with normal priority are dropped, each completed as
        /// `failed`.
        case stop
    }

    /// Where to.
    public var characteristic: CharacteristicID
    /// The bytes.
    public var value: [UInt8]
    /// How.
    public var kind: Kind
    /// When.
    public var priority: Priority
    /// What to call it when its completion is told.
    public var token: WriteToken

    /// Makes a write.
    public init(
        _ characteristic: CharacteristicID, _ value: [UInt8], _ kind: Kind = .withResponse,
        priority: Priority = .normal, token: WriteToken = 0
    ) {
        self.characteristic = characteristic
        self.value = value
        self.kind = kind
        self.priority = priority
        self.token = token
    }
}
