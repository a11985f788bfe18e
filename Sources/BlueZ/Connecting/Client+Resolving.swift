import Bluetooth
import DBus
import Logging

extension Client {
    /// Waits for the GATT table of a connected device, and creates the link.
    ///
    /// - Parameter isCached: Whether BlueZ knew the table before the link was up.
    func resolve(
        _ device: Device, _ requirements: LinkRequirements, isCached: Bool,
        _ handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(BlueZError) -> Link {
        let address = device.address
        let isDecided = await until(.device(address), limits.resolve) { self.step(device) != .wait }
        if try requireStep(device) == .wait || !isDecided {
            let seconds = limits.resolve.components.seconds
            throw failure(
                .timeout, device,
                connects[address]?.answer == nil
                    ? "no answer within \(seconds) s" : "its services were not found within \(seconds) s")
        }
        // BlueZ may report the services as resolved before it exports them; cached services are exported already.
        await settle(device, limits.settle) { self.connects[address]?.needed(of: $0).isEmpty ?? true }
        if !isCached {
            await settle(device, limits.settleOptional) {
                !requirements.optional.contains(where: $0.contains)
            }
        }
        return try makeLink(device, requirements, handler)
    }

    /// Waits until the set of missing characteristics satisfies a condition, but no longer than a limit.
    private func settle(
        _ device: Device, _ limit: Duration, _ isComplete: @escaping ([CharacteristicID]) -> Bool
    ) async {
        _ = await until(.device(device.address), limit) {
            guard case .incomplete(let missing) = self.step(device) else { return true }
            return isComplete(missing)
        }
    }

    private func makeLink(
        _ device: Device, _ requirements: LinkRequirements, _ handler: @escaping @Sendable (LinkEvent) -> Void
    ) throws(BlueZError) -> Link {
        switch try requireStep(device) {
        case .incomplete(let missing):
            let needed = connects[device.address]?.needed(of: missing) ?? []
            guard needed.isEmpty else { throw lack(of: needed, device) }
        case .wait, .linked, .failed: throw failure(.timeout, device, "its services disappeared again")
        case .ready: break
        }
        try requireAllowed(device.adapter, device.address.description)
        guard links[device.path] == nil, let device = tree.devices[device.path] else {
            throw failure(.inProgress, device, "this program is already connected")
        }
        let state = LinkState(
            number: makeNumber(), device: device, table: tree.table(of: device.path),
            services: tree.allServices(of: device.path), requirements: requirements, handler: handler)
        links.add(state)
        links.update(state, isPaired: device.isPaired)
        // The services of the device may change later. So the next attempt with missing characteristics may remove the
        // cached services again.
        connects.refreshed.remove(device.address)
        logger.debug(
            "connected", metadata: ["device": "\(device.address)", "adapter": "\(device.adapter.name)"])
        return Link(state, device: device, client: self)
    }

    /// Returns the reason why required characteristics are missing: bluetoothd uses their service itself, or the device
    /// does not have them.
    ///
    /// A service that bluetoothd uses is among the device's UUIDs, but not on the bus: bluetoothd does not export
    /// services that one of its plugins has claimed (src/gatt-client.c, `export_service`, BlueZ 5.66).
    private func lack(of missing: [CharacteristicID], _ device: Device) -> BlueZError {
        let shown = tree.shownServices(of: device.path)
        let listed = tree.devices[device.path]?.services ?? []
        let services = missing.map(\.service)
        guard let service = services.first(where: { listed.contains($0) && !shown.contains($0) }) else {
            let names = missing.map(\.description).joined(separator: ", ")
            return failure(.wrongProfile, device, "the device lacks the characteristics \(names)")
        }
        let plugin = Names.plugins[service].map { " in its plugin \($0)" } ?? ""
        return failure(
            .serviceClaimed, device,
            "bluetoothd uses the service \(service)\(plugin) and does not export it to other programs")
    }
}
