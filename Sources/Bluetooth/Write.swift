/// A write to a characteristic.
public struct Write: Hashable, Sendable {
    /// The kind of write.
    public enum Kind: Hashable, Sendable {
        /// A write request: the device acknowledges it.
        case withResponse
        /// A write command: the device does not acknowledge it.
        case withoutResponse
    }

    /// The priority of a write: its position among the operations that wait for the link.
    public enum Priority: Hashable, Sendable {
        /// The write is sent after all waiting operations. Operations with this priority are sent one after another, in
        /// order.
        case normal
        /// The write is sent before all waiting operations with normal priority, for example the answer to a
        /// keep-alive.
        case ahead
        /// The write is sent before all other operations. Waiting writes with normal priority are dropped, each with
        /// the result `failed`.
        case stop
    }

    /// The target characteristic.
    public var characteristic: CharacteristicID
    /// The bytes to write.
    public var value: [UInt8]
    /// The kind of write.
    public var kind: Kind
    /// The priority, which determines the position of the write among waiting operations.
    public var priority: Priority
    /// The number by which the sender of the write recognizes the report that the write is complete.
    public var token: WriteToken

    /// Creates a write.
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
