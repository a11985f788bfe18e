import Bluetooth
import DBus

/// A connection attempt, from the request to the link. Pure: the client enters bluetoothd's reports, and asks for the
/// next step after each change.
struct ConnectAttempt {
    /// The progress of the attempt.
    enum Phase {
        /// The attempt is waiting for its turn on the adapter.
        case waiting
        /// `Connect` was called, and the link is not yet up.
        case calling(Call)
        /// The link is up, and its services are being discovered.
        case resolving(Call)
        /// BlueZ's cached data of the device is being removed. `isGone` stays true if the object appears again.
        case forgetting(ObjectPath, isGone: Bool)
        /// The attempt can no longer succeed: bluetoothd has stopped, or another host is connected to the device.
        case ended(BlueZError)
    }

    /// A call of `Connect` and its outcome.
    struct Call {
        let path: ObjectPath
        /// Distinguishes the answer from a delayed answer to an earlier call.
        let number: UInt64
        var answer: Result<Void, BlueZError>?
        /// Why the link was lost after it had been up.
        var lossReason: String?

        /// A link of the system, which needs no call.
        static func systemLink(_ path: ObjectPath) -> Call {
            Call(path: path, number: 0, answer: .success(()))
        }
    }

    /// The next action of the client.
    enum Step: Hashable, Sendable {
        case wait
        /// The link is up: the next attempt can use the adapter.
        case linked
        /// bluetoothd reports the services as resolved, sometimes before they are on the bus. These characteristics are
        /// missing so far.
        case incomplete(missing: [CharacteristicID])
        case ready
        case failed(BlueZError)
    }

    let address: Bluetooth.Address
    let requirements: LinkRequirements
    private(set) var phase = Phase.waiting

    init(_ address: Bluetooth.Address, _ requirements: LinkRequirements) {
        self.address = address
        self.requirements = requirements
    }

    // MARK: Events

    /// Enters a phase, unless the attempt has ended.
    mutating func enter(_ next: Phase) {
        if case .ended = phase { return }
        phase = next
    }

    mutating func answered(_ number: UInt64, _ answer: Result<Void, BlueZError>) {
        update { if $0.number == number { $0.answer = answer } }
    }

    mutating func linked() {
        if case .calling(let call) = phase { phase = .resolving(call) }
    }

    mutating func lost(_ path: ObjectPath, reason: String) {
        update { if $0.path == path { $0.lossReason = reason } }
    }

    mutating func objectRemoved(_ path: ObjectPath) {
        if case .forgetting(path, _) = phase { phase = .forgetting(path, isGone: true) }
    }

    /// Ends the attempt because another host is connected to the device, unless this host has already reached the
    /// device.
    ///
    /// The peripheral does not advertise to this host then, and the attempt would block the adapter until the time
    /// limit.
    mutating func withdraw() {
        switch phase {
        case .waiting, .forgetting: break
        case .calling(let call) where call.answer == nil: break
        case .calling, .resolving, .ended: return
        }
        enter(.ended(error(.unreachable, "another host is connected to the device")))
    }

    private mutating func update(_ change: (inout Call) -> Void) {
        switch phase {
        case .calling(var call):
            change(&call)
            phase = .calling(call)
        case .resolving(var call):
            change(&call)
            phase = .resolving(call)
        case .waiting, .forgetting, .ended: break
        }
    }

    // MARK: Next step

    /// bluetoothd's answer to `Connect`; nil before it arrives.
    var answer: Result<Void, BlueZError>? {
        switch phase {
        case .calling(let call), .resolving(let call): call.answer
        case .waiting, .forgetting, .ended: nil
        }
    }

    /// Returns the next step.
    ///
    /// - Parameters:
    ///   - device: The object that is being connected; nil if the host has removed it.
    ///   - found: Its characteristics. They are evaluated only once the services are resolved, because this method runs
    ///     after each change.
    func step(device: Device?, found: @autoclosure () -> Set<CharacteristicID>) -> Step {
        switch phase {
        case .waiting, .forgetting: return .wait
        case .ended(let error): return .failed(error)
        case .calling(let call):
            guard let device else { return .failed(forgotten) }
            if let error = call.refusal { return .failed(error) }
            if device.isConnected { return .linked }
            return lossError(call).map { .failed($0) } ?? .wait
        case .resolving(let call):
            guard let device else { return .failed(forgotten) }
            if let error = call.refusal { return .failed(error) }
            guard device.isConnected else {
                return call.answer == nil
                    ? .wait : .failed(lossError(call) ?? error(.refused, "the link was lost"))
            }
            guard device.isResolved, call.answer != nil else { return .wait }
            let wanted = requirements.required + requirements.substitutes + requirements.optional
            let found = found()
            let missing = wanted.filter { !found.contains($0) }
            return missing.isEmpty ? .ready : .incomplete(missing: missing)
        }
    }

    /// The required characteristics among the missing ones; none if the device has all their substitutes.
    func needed(of missing: [CharacteristicID]) -> [CharacteristicID] {
        let substitutes = requirements.substitutes
        guard substitutes.isEmpty || substitutes.contains(where: missing.contains) else { return [] }
        return missing.filter(requirements.required.contains)
    }

    func error(_ code: BlueZError.Code, _ reason: String) -> BlueZError {
        BlueZError(code, "Connect", on: address.description, reason)
    }

    var forgotten: BlueZError { error(.unknownDevice, "BlueZ removed the device") }

    /// The error for a lost link; nil until the answer to `Connect`, which is more precise, has arrived.
    private func lossError(_ call: Call) -> BlueZError? {
        guard call.answer != nil, let reason = call.lossReason else { return nil }
        return error(.refused, "connected, then lost: \(reason)")
    }
}

extension ConnectAttempt.Call {
    /// The error if the answer ends the attempt. The other errors mean that another program is connecting or has
    /// connected the device; then only the final connection state counts.
    fileprivate var refusal: BlueZError? {
        guard case .failure(let error) = answer, error.code != .inProgress, error.code != .alreadyDone
        else { return nil }
        return error
    }
}
