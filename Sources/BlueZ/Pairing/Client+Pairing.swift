public import Bluetooth
import DBus
import Logging

extension Client {
    /// Bonds with a device and trusts it, so that it may reconnect automatically; only trusts it if it is already
    /// bonded.
    ///
    /// A trusted device may use every service of the host without a request to an agent. So a device is trusted only
    /// after its services are known. A device that turns out to be an input device is not trusted, unless the
    /// requirements allow input devices.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - requirements: The services, characteristics and bond that are required.
    /// - Throws: ``BlueZError``.
    public func pair(
        _ address: Bluetooth.Address,
        requirements: LinkRequirements = LinkRequirements(required: [], bonding: .onDemand)
    ) async throws(BlueZError) {
        try requireAdapter("Pair", address)
        let subject = address.description
        guard let device = best(address) else {
            throw BlueZError(.unknownDevice, "Pair", on: subject, "not in range and not known")
        }
        guard pairing[address] == nil else {
            throw BlueZError(.inProgress, "Pair", on: subject, "this program is already pairing the device")
        }
        pairing[address] = requirements
        updateAgent()
        defer {
            pairing[address] = nil
            updateAgent()
        }
        if !device.isPaired {
            if device.isConnected {
                try await callPair(device)
            } else {
                // `Pair` makes BlueZ connect to the device, so the call must wait until the adapter is free, like a
                // connection attempt.
                try await withTurn(device, isUrgent: false) { () async throws(BlueZError) in
                    try await self.callPair(device)
                }
            }
        }
        try await trust(device, requirements)
    }

    private func callPair(_ device: Device) async throws(BlueZError) {
        let (subject, life) = (device.address.description, life)
        do {
            try await call("Pair", of: Names.device, at: device.path, limit: limits.pair, subject: subject)
        } catch  where error.code == .alreadyDone {
            return
        } catch  where error.code == .timeout {
            _ = try? await call(
                "CancelPairing", of: Names.device, at: device.path, limit: limits.question, subject: subject)
            throw BlueZError(
                .pairingFailed, "Pair", on: subject, "not bonded within \(limits.pair.components.seconds) s")
        }
        // The client waits for the signal that the device is bonded, because the answer to `Pair` may arrive before the
        // signal.
        _ = await until(.device(device.address), limits.quiet) {
            self.life != life || self.tree.devices[device.path]?.isPaired ?? true
        }
        logger.notice("the device is paired with this host", metadata: ["device": "\(device.address)"])
    }

    private func trust(_ device: Device, _ requirements: LinkRequirements) async throws(BlueZError) {
        let (path, subject, life) = (device.path, device.address.description, life)
        _ = await until(.device(device.address), limits.resolve) {
            guard self.life == life, let device = self.tree.devices[path] else { return true }
            return device.isResolved || !device.isConnected
        }
        guard self.life == life else { throw away("Pair", subject) }
        if !requirements.isInputDevice, let complaint = tree.allServices(of: path).inputComplaint {
            await closeLink(path, of: device.address)
            throw BlueZError(.inputDevice, "Pair", on: subject, complaint)
        }
        guard let now = tree.devices[path], !now.isTrusted else { return }
        guard device.isPaired || now.isResolved else {
            return logger.info(
                "the device is not set to trusted in BlueZ, because its services are unknown",
                metadata: ["device": "\(device.address)"])
        }
        try await call(
            "Set", of: Names.properties, at: path,
            [.string(Names.device), .string("Trusted"), .variant(.bool(true))], limit: limits.question,
            subject: subject)
    }

    /// Removes a device and its bond from every adapter that knows it; its link ends.
    ///
    /// - Throws: ``BlueZError``; not for an unknown device.
    public func forget(_ address: Bluetooth.Address) async throws(BlueZError) {
        try requireAdapter("RemoveDevice", address)
        for device in tree.devices(address) where isAllowed(device.adapter) {
            links[device.path]?.phase = .closing
            do {
                try await call(
                    "RemoveDevice", of: Names.adapter, at: device.adapter, [.objectPath(device.path)],
                    limit: limits.question, subject: address.description)
            } catch  where error.code == .unknownDevice {
                continue
            }
        }
        connects.refreshed.remove(address)
    }
}
