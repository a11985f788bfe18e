import Bluetooth
import HomeAssistant
import JSON

/// The announcements to Home Assistant: those that stand at the broker, and the devices of which something is new.
struct Announcements: Sendable {
    /// Kept as they were sent, which shares the memory of the broker's side.
    private var payloads: [String: [UInt8]] = [:]
    private var changed: Set<Address> = []

    /// The payload of an announcement that is to be published; nil if it stands there already.
    mutating func publish(_ announcement: HomeAssistant.Announcement) -> [UInt8]? {
        let payload = JSON.Value.object(announcement.published).bytes
        guard payloads[announcement.topic] != payload else { return nil }
        payloads[announcement.topic] = payload
        return payload
    }

    /// Forgets an announcement.
    ///
    /// - Returns: Whether there was one.
    mutating func forget(_ topic: String) -> Bool { payloads.removeValue(forKey: topic) != nil }

    /// Forgets all announcements.
    ///
    /// - Returns: Their topics, in order.
    mutating func forgetAll() -> [String] {
        defer { payloads = [:] }
        return payloads.keys.sorted()
    }

    /// All announcements, by topic, with the bridge's first: a device that hangs on an unknown bridge would bring a
    /// phantom of it that stays.
    func all(bridge: String) -> [(topic: String, payload: [UInt8])] {
        let devices = payloads.keys.sorted().filter { $0 != bridge }
        return ([bridge] + devices).compactMap { topic in payloads[topic].map { (topic, $0) } }
    }

    // MARK: What is new

    /// Notes that something is new about a device.
    mutating func changed(_ address: Address) { changed.insert(address) }

    /// Takes the devices of which something is new, in order.
    mutating func takeChanged() -> [Address] {
        defer { changed = [] }
        return changed.sorted()
    }
}
