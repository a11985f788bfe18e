import Bluetooth
import Claims

/// The newest claim on each device at the broker, for the devices that this bridge comes to know later.
struct Holders: Sendable {
    /// A claim, and when it arrived.
    struct Entry: Hashable, Sendable {
        var message: ClaimMessage
        var arrival: Duration
    }

    /// How many devices are remembered: more than stand at any broker.
    private static let capacity = 16_384

    /// Whether the broker lets this bridge know nothing of them, by an access list of before there were claims: then
    /// it makes none, each of which could cost it the connection.
    var isRefused = false
    private var entries: [Address: Entry] = [:]

    /// The newest claim on a device.
    subscript(address: Address) -> Entry? { entries[address] }

    /// The newest claim on each device, in no order.
    var claims: some Sequence<(address: Address, claim: Claim)> {
        entries.lazy.map { (address: $0.key, claim: $0.value.message.claim) }
    }

    /// A claim arrived.
    mutating func heard(_ message: ClaimMessage, on address: Address, at now: Duration) {
        guard entries[address] != nil || entries.count < Self.capacity else { return }
        entries[address] = Entry(message: message, arrival: now)
    }

    /// The claim on a device was cleared.
    mutating func remove(_ address: Address) { entries[address] = nil }

    /// The connection to the broker is new.
    mutating func removeAll() { self = Holders() }
}
