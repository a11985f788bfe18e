import Bluetooth
import HomeAssistant
import JSON

/// The announcements to Home Assistant: those that stand at the broker, and the devices of which something is new.
struct Announcements: Sendable {
    /// What tells one announcement from another, by topic: the broker's side keeps what was sent.
    private var hashes: [String: Int] = [:]
    private var changed: Set<Address> = []

    /// The payload of an announcement that is to be published; nil if it stands there already.
    ///
    /// - Parameter again: Whether it is published although it stands there.
    mutating func publish(_ announcement: HomeAssistant.Announcement, again: Bool = false) -> [UInt8]? {
        let payload = JSON.Value.object(announcement.published).bytes
        guard hashes.updateValue(payload.hashValue, forKey: announcement.topic) != payload.hashValue || again
        else {
            return nil
        }
        return payload
    }

    /// Whether an announcement stands on a topic.
    func contains(_ topic: String) -> Bool { hashes[topic] != nil }

    /// Forgets an announcement.
    ///
    /// - Returns: Whether there was one.
    mutating func forget(_ topic: String) -> Bool { hashes.removeValue(forKey: topic) != nil }

    /// Forgets all announcements.
    ///
    /// - Returns: Their topics, in order.
    mutating func forgetAll() -> [String] {
        defer { hashes = [:] }
        return hashes.keys.sorted()
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
