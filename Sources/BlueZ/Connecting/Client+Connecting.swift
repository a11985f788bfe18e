public import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Connects to a device, waits for its GATT table and returns the link.
    ///
    /// An adapter runs one `Connect` at a time, with discovery stopped; urgent requests come first. Service discovery
    /// runs for any number of devices at once. A device that the host has already connected gets a link immediately.
    /// BlueZ may have cached an older GATT table that lacks required characteristics. Unless the device is bonded, the
    /// client then removes it from BlueZ once, discovers it again and connects to it again.
    ///
    /// - Parameters:
    ///   - address: The device. Its last advertisement must be at most some seconds old, unless it is bonded or
    ///     connected.
    ///   - requirements: The services, characteristics and bond that are required.
    ///   - handler: Receives notifications and the loss of the link, on the loop's thread, in order.
    /// - Throws: ``BlueZError``.
    public func connect(
        _ address: Bluetooth.Address, requirements: LinkRequirements = LinkRequirements(required: []),
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(BlueZError) -> Link {
        // A link that this program is closing ends soon: BlueZ takes 2 s to disconnect. The new attempt waits until
        // then.
        _ = await until(.device(address), limits.disconnect) {
            !self.tree.devices(address).contains { self.links.isClosing($0.path) }
        }
        let device = try findForConnection(address)
        guard links[device.path] == nil, connects[address] == nil else {
            throw failure(.inProgress, device, "this program is already connected or connecting")
        }
        connects[address] = ConnectAttempt(address, requirements)
        updateAgent()
        defer {
            connects[address] = nil
            updateAgent()
        }
        do {
            return try await connect(device, requirements, handler)
        } catch let error where [.wrongProfile, .serviceClaimed].contains(error.code) {
            guard !device.isPaired, connects.refreshed.insert(address).inserted else { throw error }
            logger.info(
                "the device lacks characteristics; removing it from BlueZ's cache and connecting again",
                metadata: ["device": "\(address)", "reason": "\(error)"])
            return try await connect(try await findAgain(device), requirements, handler)
        }
    }

    /// Cancels the attempt to connect to a device because another host is connected to it. An attempt that is waiting
    /// for its turn is canceled too.
    public func cancelConnect(_ address: Bluetooth.Address) {
        connects[address]?.withdraw()
        wake(.device(address))
    }

    /// Chooses the device object, and checks that the device is reachable.
    private func findForConnection(_ address: Bluetooth.Address) throws(BlueZError) -> Device {
        try requireAdapter("Connect", address)
        guard let device = best(address) else {
            throw BlueZError(.unknownDevice, "Connect", on: address.description, "not in range and not known")
        }
        let isHeard = device.rssi != nil || gate.isFresh(address, limits.freshness, at: EventLoop.now)
        guard device.isConnected || device.isPaired || isHeard else {
            throw failure(
                .unknownDevice, device,
                "no advertisement received in the last \(limits.freshness.components.seconds) s")
        }
        return device
    }

    func requireAdapter(_ operation: String, _ address: Bluetooth.Address) throws(BlueZError) {
        let subject = address.description
        guard isServing else { throw away(operation, subject) }
        guard adapters.usable.isEmpty else { return }
        let allowed = tree.adapters.values.filter { adapters.isAllowed($0) }.map(\.name).sorted()
        guard !allowed.isEmpty else {
            if let (name, holder) = holders.min(by: { $0.key < $1.key }) {
                throw BlueZError(
                    .noAdapter, operation, on: subject, "\(holder.words) uses the adapter \(name)")
            }
            let absent = adapters.absent.joined(separator: ", ")
            let absence = absent.isEmpty ? "" : "; not present, but in bluetooth.adapters: \(absent)"
            throw BlueZError(
                .noAdapter, operation, on: subject, "there is no usable adapter\(absence)")
        }
        let names = allowed.joined(separator: ", ")
        throw BlueZError(.adapterOff, operation, on: subject, "switched off: \(names)")
    }

    private func connect(
        _ device: Device, _ requirements: LinkRequirements, _ handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(BlueZError) -> Link {
        guard !device.isConnected else {
            logger.info(
                "the host is already connected to the device; this connection is used",
                metadata: ["device": "\(device.address)"])
            connects[device.address]?.enter(.resolving(.systemLink(device.path)))
            return try await resolve(device, requirements, isCached: false, handler)
        }
        connects[device.address]?.enter(.waiting)
        let isCached = try await withTurn(device, isUrgent: requirements.isSafetyCritical) {
            () async throws(BlueZError) in
            let isCached = self.tree.attributes[device.path] != nil
            try await self.orAbandon(device) { () async throws(BlueZError) in
                try await self.callConnect(device)
            }
            return isCached
        }
        return try await orAbandon(device) { () async throws(BlueZError) in
            try await self.resolve(device, requirements, isCached: isCached, handler)
        }
    }

    /// Runs a step of an attempt; if the step fails, cancels a pending `Connect` and closes the link.
    private func orAbandon<Result>(
        _ device: Device, _ body: () async throws(BlueZError) -> Result
    ) async throws(BlueZError) -> Result {
        do throws(BlueZError) { return try await body() } catch {
            if error.code == .unreachable { gate.missed(device.address) }
            if isServing, tree.devices[device.path] != nil {
                await closeLink(device.path, of: device.address)
            }
            throw error
        }
    }

    /// Calls `Disconnect`, which also cancels a pending `Connect`, and waits until the link is gone.
    func closeLink(_ path: ObjectPath, of address: Bluetooth.Address) async {
        links.closing.insert(path)
        defer {
            links.closing.remove(path)
            wake(.device(address))
        }
        do {
            try await call(
                "Disconnect", of: Names.device, at: path, limit: limits.disconnect,
                subject: address.description)
        } catch {
            guard error.code != .notConnected, error.code != .unknownDevice else { return }
            logger.debug("the device could not be disconnected", metadata: ["reason": "\(error)"])
        }
        // A canceled task waits too, so that the link is closed before the next connection attempt.
        _ = await until(.device(address), limits.disconnect, isCancellable: false) {
            !(self.tree.devices[path]?.isConnected ?? false)
        }
    }

    /// Removes a device and its cached data from BlueZ, and waits for the device's next advertisement.
    private func findAgain(_ device: Device) async throws(BlueZError) -> Device {
        let address = device.address
        connects[address]?.enter(.forgetting(device.path, isGone: false))
        try await call(
            "RemoveDevice", of: Names.adapter, at: device.adapter, [.objectPath(device.path)],
            limit: limits.question, subject: address.description)
        _ = await until(.device(address), limits.question) {
            if case .forgetting(_, isGone: false) = self.connects[address]?.phase { false } else { true }
        }
        let token = startDiscovery()
        func found() -> Device? { best(address).flatMap { $0.rssi == nil ? nil : $0 } }
        _ = await until(.device(address), limits.find) { self.step(device) != .wait || found() != nil }
        await token.end()
        if case .failed(let error) = step(device) { throw error }
        guard let found = found() else {
            throw failure(.unreachable, device, "no advertisement received since BlueZ removed the device")
        }
        return found
    }
}
