import Bluetooth
import DeviceKit
import JSON
import Logging

// How new devices come to the bridge.
extension Bridge {
    /// A time in which new devices may join.
    struct Permit: Sendable {
        /// When it ends.
        var end: Duration
        /// The families that may join; nil for all.
        var families: Set<String>?
        /// The one device that may join; nil for all, but not for input devices.
        var address: Address?
    }

    /// How many devices are announced that may not join; an address that changes all the time is no new device.
    private static let discoveryCapacity = 1000

    // MARK: Devices that are heard

    /// A device was heard that nobody looks after yet.
    func consider(_ advertisement: Advertisement) {
        let address = advertisement.address
        guard let family = families.first(where: { $0.recognises(advertisement) }) else { return }
        if mayJoin(family, advertisement) {
            join(family, advertisement)
        } else if discovered.count < Self.discoveryCapacity, discovered[address] == nil {
            discovered[address] = advertisement
            logger.info(
                "discovered", metadata: ["family": "\(family.name)", "address": "\(address)"])
            reportEvent(
                "device_discovered",
                [
                    "family": .string(family.name), "address": .string(address.description),
                    "name": advertisement.name.map { .string($0) } ?? .null,
                    "rssi": advertisement.rssi.map { .integer($0) } ?? .null,
                ])
        }
    }

    private func join(_ family: any DeviceFamily, _ advertisement: Advertisement) {
        let address = advertisement.address
        let name = names.assign(family, address)
        logger.info("joined", metadata: ["device": "\(name)", "address": "\(address)"])
        addSession(
            family, address, settings: settings.families[family.name] ?? Arguments(),
            isLetIn: isLetIn(family, advertisement))
        guard let session = sessions[address] else { return }
        remember(session) { device in
            device.name = name
            device.isJoined = true
        }
        reportDevices()
        reportEvent("device_joined", describe(session))
        let isPermitted = settings.join == .permit
        session.assumeIsolated { session in
            if isPermitted { session.join() }
            session.heard(advertisement)
        }
    }

    /// Whether a device may join. One that is a keyboard too needs a word for its address, since joining bonds it
    /// to the host; where that is done already there is nothing to ask.
    private func mayJoin(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        let isLetIn = isLetIn(family, advertisement)
        switch settings.join {
        case .configured: return false
        case .permit: return isLetIn
        case .always: return !family.requirements.isInputDevice || advertisement.isPaired || isLetIn
        }
    }

    /// Whether a person lets a device in just now.
    private func isLetIn(_ family: any DeviceFamily, _ advertisement: Advertisement) -> Bool {
        guard let permit, permit.families?.contains(family.name) ?? true else { return false }
        return permit.address.map { $0 == advertisement.address } ?? !family.requirements.isInputDevice
    }

    // MARK: Permitting to join

    func permitJoin(_ arguments: Arguments) throws(CommandError) -> JSON.Object {
        guard settings.join != .configured else {
            throw CommandError(
                .notSupported,
                "bluetooth.join is configured: only devices of the configuration are connected")
        }
        var address: Address?
        if let text = arguments.text("address") {
            guard let parsed = Address(text) else {
                throw CommandError(.invalidValue, "address: such as AA:BB:CC:DD:EE:FF, got \(text)")
            }
            address = parsed
        }
        let seconds = arguments.integer("seconds") ?? 60
        guard seconds > 0 else {
            endPermit()
            return ["seconds": 0]
        }
        let families = arguments["families"]?.array?.compactMap(\.string)
        permit = Permit(
            end: world.time.now + .seconds(seconds), families: families.map(Set.init), address: address)
        // Confirming the address that was announced is enough: the device need not be heard once more.
        let announced = address.flatMap { discovered[$0] }
        discovered = [:]
        logger.info("new devices may join", metadata: ["seconds": "\(seconds)"])
        watchPermit()
        updateDiscovery()
        reportInfo()
        if let announced, sessions[announced.address] == nil { consider(announced) }
        return ["seconds": .integer(seconds)]
    }

    func endPermit() {
        guard permit != nil else { return }
        permit = nil
        logger.info("no new devices may join any more")
        updateDiscovery()
        reportInfo()
    }

    /// Sees to it that somebody wakes up by the end of the permission. One who wakes for an earlier end looks again;
    /// so there are never more sleepers than ever nearer ends.
    private func watchPermit() {
        guard let end = permit?.end, permitSleepers.min().map({ end < $0 }) ?? true else { return }
        permitSleepers.insert(end)
        spawn { [weak self, time = world.time] in
            do { try await time.sleep(until: end) } catch { return }
            await self?.permitSleeperWoke(end)
        }
    }

    private func permitSleeperWoke(_ moment: Duration) {
        permitSleepers.remove(moment)
        guard let permit else { return }
        if permit.end <= world.time.now { endPermit() } else { watchPermit() }
    }
}
