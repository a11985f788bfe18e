import Bluetooth
import DeviceKit
import JSON
import Logging

// Requests about one device.
extension Bridge {
    /// Gives a device that joined another name.
    func rename(_ session: DeviceSession, _ arguments: Arguments) throws(CommandError) -> JSON.Object {
        let (old, name) = (session.assumeIsolated { $0.name }, arguments.text("to") ?? "")
        try refuseConfigured(session)
        let rules = NameRules(families: families, reserved: settings.reservedNames)
        let others = sessions.values.filter { $0 !== session }.map { other in
            (other.assumeIsolated { $0.name }, other.family.name)
        }
        let complaint = rules.complaint(
            device: name, family: session.family.name, groups: settings.groups.map(\.name),
            devices: Dictionary(others) { first, _ in first })
        if let complaint {
            throw CommandError(.invalidValue, "to: \(name): \(complaint)")
        }
        guard names.rename(session.address, to: name) else {
            throw CommandError(.invalidValue, "to: \(name): another device has this name")
        }
        if name != old { rename(session, to: name) }
        return ["device": .string(name), "before": .string(old)]
    }

    /// What stands in the configuration is changed there.
    private func refuseConfigured(_ session: DeviceSession) throws(CommandError) {
        guard settings.devices.contains(where: { $0.address == session.address }) else { return }
        let name = session.assumeIsolated { $0.name }
        throw CommandError(.notSupported, "\(name) stands in the configuration: change it there")
    }

    // MARK: The link

    func connect(_ session: DeviceSession, _ pending: PendingRequest) {
        remember(session) { $0.isHeld = false }
        session.assumeIsolated { session in
            session.resume { [weak self] in self?.answerNow(pending, $0) }
        }
    }

    func disconnect(_ session: DeviceSession, _ pending: PendingRequest) {
        remember(session) { $0.isHeld = true }
        session.assumeIsolated { session in
            session.hold { [weak self] in self?.answerNow(pending, $0) }
        }
    }

    private nonisolated func answerNow(_ pending: PendingRequest, _ answer: Answer) {
        assumeIsolated { $0.answer(pending, answer) }
    }

    func pair(_ session: DeviceSession, _ pending: PendingRequest) throws(CommandError) {
        let state = session.assumeIsolated { $0.supervision.state }
        guard state != .pairing, state != .connecting else {
            let name = session.assumeIsolated { $0.name }
            throw CommandError(.busy, "\(name) is \(state.rawValue)")
        }
        spawn { [weak self] in
            let answer = await session.bond()
            await self?.answer(pending, answer)
        }
    }

    // MARK: The end

    func forget(_ session: DeviceSession, _ pending: PendingRequest) throws(CommandError) {
        try refuseConfigured(session)
        spawn { [weak self] in await self?.forgetAll(session, pending) }
    }

    private func forgetAll(_ session: DeviceSession, _ pending: PendingRequest) async {
        await remove(session)
        do throws(RadioError) {
            try await world.radio.forget(session.address)
        } catch {
            guard error.code != .unknownDevice else { return answer(pending, .ok) }
            return refuse(
                pending,
                CommandError(.deviceError, "it is let go, but the host keeps its bond: \(error.message)"))
        }
        answer(pending, .ok)
    }
}
