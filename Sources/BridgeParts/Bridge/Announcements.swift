package import Bluetooth
package import BridgeContract
package import HomeAssistant
import JSON

/// The announcements to Home Assistant: those that stand at the broker, and the devices of which something is new.
package struct Announcements: Sendable {
    /// Of how many kinds of devices it is kept what they share.
    private static let kinds = 64

    /// What tells one announcement from another, by topic: the broker's side keeps what was sent.
    private var hashes: [String: Int] = [:]
    private var changed: Set<Address> = []
    /// The devices of which something is new that is told later, and when.
    private var waiting: [Address: Duration] = [:]
    /// The available devices whose topics have become others, and until when Home Assistant reads the new ones.
    private var moving: [Address: Duration] = [:]
    /// What the announcements of the devices of each kind share.
    private var stencils: [AnnouncementStencil.Kind: AnnouncementStencil] = [:]

    package init() {}

    /// The payload of an announcement that is to be published; nil if it stands there already.
    ///
    /// - Parameter again: Whether it is published although it stands there.
    package mutating func publish(_ announcement: HomeAssistant.Announcement, again: Bool = false) -> [UInt8]?
    {
        publish(JSON.Value.object(announcement.published).bytes, on: announcement.topic, again: again)
    }

    /// The same for a device: what others of its kind share with it is not made anew.
    package mutating func publish(
        _ device: HomeAssistant.Device, on topic: String, _ surroundings: HomeAssistant.Surroundings,
        again: Bool
    ) -> [UInt8]? {
        // A Home Assistant that has just started has not read any topic.
        if again { moving[device.address] = nil }
        guard moving[device.address] == nil else {
            return publish(surroundings.moving(device), again: again)
        }
        let kind = AnnouncementStencil.Kind(device)
        let stencil = stencils[kind] ?? surroundings.stencil(device)
        if stencils[kind] == nil {
            // Kinds are few, unless each device has settings of its own.
            if stencils.count >= Self.kinds { stencils = [:] }
            stencils[kind] = stencil
        }
        return publish(surroundings.payload(device, stencil), on: topic, again: again)
    }

    private mutating func publish(_ payload: [UInt8], on topic: String, again: Bool) -> [UInt8]? {
        let hash = payload.quickHash
        return hashes.updateValue(hash, forKey: topic) != hash || again ? payload : nil
    }

    /// The surroundings of all announcements are others.
    package mutating func forgetStencils() { stencils = [:] }

    /// Whether an announcement stands on a topic.
    package func contains(_ topic: String) -> Bool { hashes[topic] != nil }

    /// Forgets an announcement.
    ///
    /// - Returns: Whether there was one.
    package mutating func forget(_ topic: String) -> Bool { hashes.removeValue(forKey: topic) != nil }

    /// Forgets all announcements.
    ///
    /// - Returns: Their topics, in order.
    package mutating func forgetAll() -> [String] {
        defer { hashes = [:] }
        return hashes.keys.sorted()
    }

    // MARK: What is new

    /// Notes that something is new about a device.
    package mutating func changed(_ address: Address) {
        changed.insert(address)
        waiting[address] = nil
    }

    /// Notes that something is new about a device, which is told later.
    package mutating func changed(_ address: Address, due: Duration) {
        guard !changed.contains(address), waiting[address] == nil else { return }
        waiting[address] = due
    }

    /// Notes that the topics of an available device become others.
    package mutating func moved(_ address: Address, until end: Duration) { moving[address] = end }

    /// Notes that a device is not announced any longer.
    package mutating func stays(_ address: Address) { moving[address] = nil }

    /// Lets what has waited be told.
    ///
    /// - Returns: When the next is due; nil if none waits.
    package mutating func release(at now: Duration) -> Duration? {
        for (address, due) in waiting where due <= now { changed(address) }
        for (address, end) in moving where end <= now {
            moving[address] = nil
            changed(address)
        }
        return [waiting.values.min(), moving.values.min()].compactMap(\.self).min()
    }

    /// Takes the devices of which something is new, in order.
    package mutating func takeChanged() -> [Address] {
        defer { changed = [] }
        return changed.sorted()
    }
}
