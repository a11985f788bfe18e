package import Bluetooth
package import BridgeContract
package import HomeAssistant
import JSON

/// The announcements to Home Assistant: those that are published, and the devices whose announcements are due.
package struct Announcements: Sendable {
    /// The maximum number of ``stencils``. When it is reached, all stencils are discarded before the next one is added.
    private static let kinds = 64

    /// A hash of each published announcement, by topic. The broker connection keeps the payloads.
    private var hashes: [String: Int] = [:]
    private var changed: Set<Address> = []
    /// The devices whose changes are announced later, and the time at which each is announced.
    private var waiting: [Address: Duration] = [:]
    /// The available devices with new topics, and until when each has the announcement of
    /// `HomeAssistant.Surroundings.moving(_:)`. That announcement keeps the device available while Home Assistant
    /// reads the new topics.
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
    /// devices of the same kind share is computed once and taken from ``stencils``.
    package mutating func publish(
        _ device: HomeAssistant.Device, on topic: String, _ surroundings: HomeAssistant.Surroundings,
        again: Bool
    ) -> [UInt8]? {
        // Home Assistant has just started and has read none of the old topics, so it needs no special announcement of
        // the new topics.
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

    /// Records that the announcement on a topic is no longer published.
    ///
    /// - Returns: Whether it was published.
    package mutating func forget(_ topic: String) -> Bool { hashes.removeValue(forKey: topic) != nil }

    /// Records that no announcement is published any longer.
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

    /// Records that an available device has new topics. Until `end`, a special announcement keeps it available in Home
    /// Assistant.
    package mutating func moved(_ address: Address, until end: Duration) { moving[address] = end }

    /// Ends the special announcement of a device with new topics, because the device is no longer announced.
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
