import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// Requests about one device.
extension Bridge {
    /// Renames a joined device.
    func rename(_ asked: BridgeFeatures.Rename) throws(CommandError) -> JSON.Object {
        let session = try device(named: asked.device)
        let (old, name) = (session.name, asked.to)
        try refuseConfigured(session)
        let others = fleet.all.filter { $0 !== session }.map { other in
            (other.name, other.family.name)
        }
        let complaint = nameRules.complaint(
            device: name, family: session.family.name, groups: settings.groups.map(\.name),
            devices: Dictionary(others) { first, _ in first })
        if let complaint {
            throw CommandError(.invalidValue, "to: \(name): \(complaint)")
        }
        guard fleet.names.rename(session.address, to: name) else {
            throw CommandError(.invalidValue, "to: \(name): another device has this name")
        }
        if name != old {
            rename(session, to: name)
            writeRoster(session.address)
        }
        return ["device": .string(name), "before": .string(old)]
    }

    /// Throws if the configuration lists the device: you rename or remove such a device there.
    private func refuseConfigured(_ session: DeviceSession) throws(CommandError) {
        guard settings[session.address] != nil else { return }
        let name = session.name
        throw CommandError(.notSupported, "\(name) is in the configuration: change it there")
    }

    // MARK: Connection

    func connect(_ session: DeviceSession, _ pending: PendingRequest) {
        remember(session) { $0.isUserDisconnected = false }
        session.userReconnect { self.answer(pending, $0) }
    }

    func disconnect(_ session: DeviceSession, _ pending: PendingRequest) {
        remember(session) { $0.isUserDisconnected = true }
        session.userDisconnect { self.answer(pending, $0) }
    }

    func pair(_ session: DeviceSession, _ pending: PendingRequest) throws(CommandError) {
        let state = session.stage
        guard state != .pairing, state != .connecting else {
            let name = session.name
            throw CommandError(.busy, "\(name) is \(state.rawValue)")
        }
        spawn(about: session) { bridge, session in
            let answer = await session.bond()
            bridge.answer(pending, answer)
        }
    }

    // MARK: Removal

    func forget(_ session: DeviceSession, _ pending: PendingRequest) throws(CommandError) {
        try refuseConfigured(session)
        spawn(about: session) { bridge, session in await bridge.forgetAll(session, pending) }
    }

    private func forgetAll(_ session: DeviceSession, _ pending: PendingRequest) async {
        let address = session.address
        admission.forgetting.insert(address)
        defer { admission.forgetting.remove(address) }
        await remove(session)
        do throws(RadioError) {
            try await ports.radio.forget(address)
        } catch {
            guard error.code != .unknownDevice else { return answer(pending, .ok) }
            return refuse(
                pending,
                CommandError(
                    .deviceError, "the device is removed, but the host keeps its bond: \(error.message)"))
        }
        answer(pending, .ok)
    }
}
