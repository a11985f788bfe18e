import Bluetooth

/// The newest claim on each device at the broker, for the devices that this bridge comes to know later.
struct Holders: Sendable {
    /// How many devices are remembered: more than stand at any broker.
    private static let capacity = 16_384

    private var claims: [Address: ClaimMessage] = [:]

    /// The newest claim on a device.
    subscript(address: Address) -> ClaimMessage? {
        get { claims[address] }
        set { claims[address] = newValue }
    }

    /// A claim arrived.
    mutating func heard(_ claim: ClaimMessage, on address: Address) {
        guard claims[address] != nil || claims.count < Self.capacity else { return }
        claims[address] = claim
    }

    /// The connection to the broker is new.
    mutating func removeAll() { claims = [:] }
}
