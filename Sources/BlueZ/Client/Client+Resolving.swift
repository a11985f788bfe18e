import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Waits until a connected device's GATT table is there, and makes the link.
    func resolve(
        _ device: Device, _ requirements: LinkRequirements, wasKnown: Bool,
        _ handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(BlueZError) -> Link {
        let (subject, life) = (device.address.description, life)
        func step() -> Resolution.Step {
            Resolution.step(
                device: tree.devices[device.path], table: tree.table(of: device.path),
                requirements)
        }
        let isDecided = await until(.device(device.address), limits.resolve) {
            self.life != life || step() != .wait
        }
        guard self.life == life else { throw away("Connect", subject) }
        guard isDecided else {
            guard !Task.isCancelled else {
                throw BlueZError(.cancelled, "Connect", on: subject, "not wanted any more")
            }
            throw BlueZError(
                .timeout, "Connect", on: subject,
                "its services were not found in \(limits.resolve.components.seconds) s")
        }
        // BlueZ may call the services resolved before it shows them; those of a device that it knows are there.
        func isMissing(_ characteristics: [CharacteristicID]) -> Bool {
            guard case .settle(let missing) = step() else { return false }
            return characteristics.contains(where: missing.contains)
        }
        func needsMore() -> Bool {
            guard case .settle(let missing) = step() else { return false }
            return requirements.required.contains(where: missing.contains)
                && !Resolution.isReplaced(requirements, missing: missing)
        }
        if needsMore() {
            _ = await until(.device(device.address), limits.settle) {
                self.life != life || !needsMore()
            }
        }
        if !wasKnown, isMissing(requirements.optional) {
            _ = await until(.device(device.address), limits.settleOptional) {
                self.life != life || !isMissing(requirements.optional)
            }
        }
        guard self.life == life else { throw away("Connect", subject) }
        return try makeLink(device, requirements, step(), handler)
    }

    private func makeLink(
        _ device: Device, _ requirements: LinkRequirements, _ step: Resolution.Step,
        _ handler: @escaping @Sendable (LinkEvent) -> Void
    ) throws(BlueZError) -> Link {
        let subject = device.address.description
        switch step {
        case .removed:
            throw BlueZError(.unknownDevice, "Connect", on: subject, "the host forgot the device meanwhile")
        case .disconnected:
            let words = DisconnectReason.words(
                reason: disconnectReasons.removeValue(forKey: device.path), wasAsked: false)
            throw BlueZError(.refused, "Connect", on: subject, "connected, but then: \(words)")
        case .wait:
            throw BlueZError(.timeout, "Connect", on: subject, "its services went away again")
        case .settle(let missing):
            let isReplaced = Resolution.isReplaced(requirements, missing: missing)
            let needed = isReplaced ? [] : missing.filter(requirements.required.contains)
            guard needed.isEmpty else {
                if let error = claim(of: needed, device) { throw error }
                let names = needed.map(\.description).joined(separator: ", ")
                throw BlueZError(
                    .wrongProfile, "Connect", on: subject, "it lacks the characteristics \(names)")
            }
        case .ready:
            break
        }
        guard !Task.isCancelled else {
            throw BlueZError(.cancelled, "Connect", on: subject, "not wanted any more")
        }
        guard isAllowed(device.adapter) else {
            throw BlueZError(.noAdapter, "Connect", on: subject, "another program has the adapter now")
        }
        guard links[device.path] == nil, let device = tree.devices[device.path] else {
            throw BlueZError(.inProgress, "Connect", on: subject, "this program is connected already")
        }
        let state = LinkState(
            number: makeNumber(), device: device, table: tree.table(of: device.path),
            services: tree.allServices(of: device.path), requirements: requirements, handler: handler)
        links.add(state)
        links.update(state, isPaired: device.isPaired)
        // Its services may change again.
        refreshed.remove(device.address)
        logger.debug(
            "connected", metadata: ["device": "\(device.address)", "adapter": "\(device.adapter.name)"])
        return Link(state, device: device, client: self)
    }

    /// That bluetoothd itself uses a service that is needed; nil if it does not.
    ///
    /// Such a service is among the UUIDs of the device and not on the bus: bluetoothd exports none that one of its plugins
    /// has claimed (src/gatt-client.c, `export_service`, BlueZ 5.66).
    private func claim(of missing: [CharacteristicID], _ device: Device) -> BlueZError? {
        let shown = tree.shownServices(of: device.path)
        let listed = tree.devices[device.path]?.services ?? []
        let services = missing.map(\.service)
        guard let service = services.first(where: { listed.contains($0) && !shown.contains($0) }) else {
            return nil
        }
        let plugin = Names.plugins[service].map { ", by its plugin \($0)," } ?? ""
        return BlueZError(
            .serviceClaimed, "Connect", on: device.address.description,
            "bluetoothd itself uses the service \(service)\(plugin) and shows it to no other program")
    }

    /// Forgets a device with all that BlueZ remembers of it, and waits until it is heard again.
    func findAgain(_ device: Device) async throws(BlueZError) -> Device {
        let (address, subject) = (device.address, device.address.description)
        forgetting.insert(device.path)
        defer { forgetting.remove(device.path) }
        try await call(
            "RemoveDevice", of: Names.adapter, at: device.adapter, [.objectPath(device.path)],
            limit: limits.question, subject: subject)
        let life = life
        _ = await until(.device(address), limits.question) {
            self.life != life || !self.forgetting.contains(device.path)
        }
        let token = startDiscovery()
        func heard() -> Device? {
            let found = Placement.choose(tree.devices(address), usable: usableAdapters, full: fullAdapters)
            return found?.rssi == nil ? nil : found
        }
        _ = await until(.device(address), limits.find) { self.life != life || heard() != nil }
        await token.end()
        guard let found = heard() else {
            throw BlueZError(.unreachable, "Connect", on: subject, "it was forgotten and is not heard again")
        }
        return found
    }
}
