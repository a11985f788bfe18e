public import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Connects to a device, waits for its GATT table and returns the link.
    ///
    /// One connection at a time is made on an adapter, urgent ones first, with discovery stopped; a device that the
    /// system has connected already is taken over at once. A device that lacks what is required, and of which
    /// BlueZ may remember an older table, is forgotten once (unless it is bonded), found again, and asked anew.
    ///
    /// - Parameters:
    ///   - address: The device. It must have been heard in the last seconds, or be bonded or connected.
    ///   - requirements: What is needed of it.
    ///   - handler: Told of notifications and of the link's end, on the loop's thread, in order.
    /// - Throws: ``BlueZError``.
    public func connect(
        _ address: Bluetooth.Address, requirements: LinkRequirements = LinkRequirements(required: []),
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(BlueZError) -> Link {
        // A link that this program is just closing is not in the way for long.
        _ = await until(.device(address), limits.disconnect) {
            !self.tree.devices(address).contains { self.links[$0.path]?.isClosing ?? false }
        }
        let device = try findForConnection(address)
        guard links[device.path] == nil, connecting[address] == nil else {
            throw BlueZError(
                .inProgress, "Connect", on: address.description,
                "this program is connected or connecting already")
        }
        connecting[address] = requirements
        updateAgent()
        defer {
            connecting[address] = nil
            givenUp.remove(address)
            updateAgent()
        }
        do {
            return try await connect(device, requirements, handler)
        } catch let error where [.wrongProfile, .serviceClaimed].contains(error.code) {
            guard !device.isPaired, refreshed.insert(address).inserted else { throw error }
            logger.info(
                "the device lacks characteristics; forgetting what BlueZ remembers of it",
                metadata: ["device": "\(address)", "reason": "\(error)"])
            return try await connect(try await findAgain(device), requirements, handler)
        }
    }

    /// Chooses the device object, and checks that a connection has a chance.
    private func findForConnection(_ address: Bluetooth.Address) throws(BlueZError) -> Device {
        let usable = try requireAdapter("Connect", address)
        guard let device = Placement.choose(tree.devices(address), usable: usable, full: fullAdapters) else {
            throw BlueZError(.unknownDevice, "Connect", on: address.description, "not heard and not known")
        }
        let age = heardAt[address].map { EventLoop.now - $0 }
        let isHeard = device.rssi != nil || age.map { $0 <= limits.freshness } ?? false
        guard device.isConnected || device.isPaired || isHeard else {
            throw BlueZError(
                .unknownDevice, "Connect", on: address.description,
                "known, but not heard in the last \(limits.freshness.components.seconds) s")
        }
        return device
    }

    func requireAdapter(
        _ operation: String, _ address: Bluetooth.Address
    ) throws(BlueZError) -> Set<ObjectPath> {
        let subject = address.description
        guard isServing else { throw away(operation, subject) }
        let usable = usableAdapters
        guard usable.isEmpty else { return usable }
        let allowed = tree.adapters.values.filter { isAllowed($0) }.map(\.name).sorted()
        guard !allowed.isEmpty else {
            if let (name, holder) = holders.min(by: { $0.key < $1.key }) {
                throw BlueZError(
                    .noAdapter, operation, on: subject, "\(holder.words) has the adapter \(name)")
            }
            let absence =
                absentAdapters.isEmpty
                ? "" : "; bluetooth.adapters names \(absentAdapters.joined(separator: ", "))"
            throw BlueZError(
                .noAdapter, operation, on: subject, "there is no adapter that may be used\(absence)")
        }
        let names = allowed.joined(separator: ", ")
        throw BlueZError(.adapterOff, operation, on: subject, "switched off: \(names)")
    }

    private func connect(
        _ device: Device, _ requirements: LinkRequirements, _ handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(BlueZError) -> Link {
        if device.isConnected {
            // Only a link of the system, or one that this program is just closing.
            try await awaitOldEnd(of: device)
            if tree.devices[device.path]?.isConnected == true {
                return try await takeOver(device, requirements, handler)
            }
        }
        return try await whileConnecting(device, isUrgent: requirements.isSafetyCritical) {
            () async throws(BlueZError) in
            let wasKnown = !self.tree.table(of: device.path).characteristics.isEmpty
            do throws(BlueZError) {
                try await self.callConnect(device)
                return try await self.resolve(device, requirements, wasKnown: wasKnown, handler)
            } catch {
                if error.code == .unreachable { self.heardAt[device.address] = nil }
                await self.abandon(device)
                throw error
            }
        }
    }

    private func takeOver(
        _ device: Device, _ requirements: LinkRequirements, _ handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(BlueZError) -> Link {
        logger.info("taking over a link of the system", metadata: ["device": "\(device.address)"])
        return try await resolve(device, requirements, wasKnown: false, handler)
    }

    /// Waits for a link that this program has asked to be closed; BlueZ takes 2 s for it.
    private func awaitOldEnd(of device: Device) async throws(BlueZError) {
        guard closing.contains(device.path) else { return }
        _ = await until(.device(device.address), limits.disconnect) { !self.closing.contains(device.path) }
    }

    /// Makes sure that an attempt which came to nothing leaves nothing behind: no pending `Connect`, no link.
    private func abandon(_ device: Device) async {
        guard isServing, tree.devices[device.path] != nil else { return }
        await closeLink(device.path, of: device.address)
    }

    /// Calls `Disconnect`, which also takes a pending `Connect` back, and waits until the link is gone.
    func closeLink(_ path: ObjectPath, of address: Bluetooth.Address) async {
        closing.insert(path)
        defer {
            closing.remove(path)
            wake(.device(address))
        }
        do {
            try await call(
                "Disconnect", of: Names.device, at: path, limit: limits.disconnect,
                subject: address.description)
        } catch {
            guard error.code != .notConnected, error.code != .unknownDevice else { return }
            logger.debug("disconnect failed", metadata: ["reason": "\(error)"])
        }
        // In a cancelled task too, which would not wait otherwise.
        _ = await until(.device(address), limits.disconnect, isCancellable: false) {
            !(self.tree.devices[path]?.isConnected ?? false)
        }
    }
}
