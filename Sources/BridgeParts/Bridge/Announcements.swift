package import Bluetooth
package import BridgeContract
package import HomeAssistant
import JSON

/// The announcements to Home Assistant: those that are published, and the devices whose announcements are due.
package struct Announcements: Sendable {
    /// The maximum number of ``stencils``, after which all of them are discarded.
    private static let kinds = 64

    /// A hash of each published announcement, by topic. The broker connection keeps the payloads.
    private var hashes: [String: Int] = [:]
    private var changed: Set<Address> = []
    /// The devices whose changes are announced later, and the time at which each is announced.
    private var waiting: [Address: Duration] = [:]
    /// The available devices whose topics change, and the time at which Home Assistant has read the new topics.
    private var moving: [Address: Duration] = [:]
    /// The stencils: for each kind of device, the part that the announcements of all its devices share.
    private var stencils: [AnnouncementStencil.Kind: AnnouncementStencil] = [:]

    package init() {}

    /// Returns the payload of an announcement to be published; nil if it is published already.
    ///
    /// - Parameter again: Whether to publish it even if it is unchanged.
    package mutating func publish(_ announcement: HomeAssistant.Announcement, again: Bool = false) -> [UInt8]?
    {
        publish(JSON.Value.object(announcement.published).bytes, on: announcement.topic, again: again)
    }

    /// Returns the payload of a device's announcement to be published; nil if it is published already. The part that
    /// devices of the same kind share is reused.
    package mutating func publish(
        _ device: HomeAssistant.Device, on topic: String, _ surroundings: HomeAssistant.Surroundings,
        again: Bool
    ) -> [UInt8]? {
        // Home Assistant has just started and has read none of the old topics, so no transition is needed.
        if again { moving[device.address] = nil }
        guard moving[device.address] == nil else {
            return publish(surroundings.moving(device), again: again)
        }
        let kind = AnnouncementStencil.Kind(device)
        let stencil = stencils[kind] ?? surroundings.stencil(device)
        if stencils[kind] == nil {
            // Each kind has a stencil. There are few kinds, unless each device has its own settings; then the stencils
            // must not fill the memory.
            if stencils.count >= Self.kinds { stencils = [:] }
            stencils[kind] = stencil
        }
        return publish(surroundings.payload(device, stencil), on: topic, again: again)
    }

    private mutating func publish(_ payload: [UInt8], on topic: String, again: Bool) -> [UInt8]? {
        let hash = payload.quickHash
        return hashes.updateValue(hash, forKey: topic) != hash || again ? payload : nil
    }

    /// Discards the ``stencils``, because the `HomeAssistant.Surroundings` that all announcements include have changed.
    package mutating func forgetStencils() { stencils = [:] }

    /// Whether an announcement is published on a topic.
    package func contains(_ topic: String) -> Bool { hashes[topic] != nil }

    /// Forgets an announcement.
    ///
    /// - Returns: Whether it was published.
    package mutating func forget(_ topic: String) -> Bool { hashes.removeValue(forKey: topic) != nil }

    /// Forgets all announcements.
    ///
    /// - Returns: Their topics, sorted.
    package mutating func forgetAll() -> [String] {
        defer { hashes = [:] }
        return hashes.keys.sorted()
    }

    // MARK: Changes

    /// Marks the announcement of a device as due.
    package mutating func changed(_ address: Address) {
        changed.insert(address)
        waiting[address] = nil
    }

    /// Marks the announcement of a device as due at a later time.
    package mutating func changed(_ address: Address, due: Duration) {
        guard !changed.contains(address) else { return }
        waiting[address] = min(due, waiting[address] ?? due)
    }

    /// Records that the topics of an available device change. Home Assistant has read the new topics at `end`.
    package mutating func moved(_ address: Address, until end: Duration) { moving[address] = end }

    /// Ends the change of a device's topics, because the device is no longer announced.
    package mutating func stays(_ address: Address) { moving[address] = nil }

    /// Marks the announcements of the waiting devices that are due.
    ///
    /// - Returns: The time at which the next waiting device is due; nil if none waits.
    package mutating func release(at now: Duration) -> Duration? {
        for (address, due) in waiting where due <= now { changed(address) }
        for (address, end) in moving where end <= now {
            moving[address] = nil
            changed(address)
        }
        return [waiting.values.min(), moving.values.min()].compactMap(\.self).min()
    }

    /// Returns the changed devices, sorted, and clears the list.
    package mutating func takeChanged() -> [Address] {
        defer { changed = [] }
        return changed.sorted()
    }
}
