import Bluetooth
import DBus

/// A connection attempt, from the request to the link. A value without side effects: the client passes bluetoothd's
/// reports to it, and asks for the next step after each change.
struct ConnectAttempt {
    /// The progress of the attempt.
    enum Phase {
        /// The attempt is waiting for its turn on the adapter.
        case waiting
        /// `Connect` was called, and the link is not yet up.
        case calling(Call)
        /// The link is up, and its services are being discovered.
        case resolving(Call)
        /// The device and its cached data are being removed from BlueZ. `isGone` becomes true when the object is
        /// removed, and stays true if it appears again.
        case forgetting(ObjectPath, isGone: Bool)
        /// The attempt can no longer succeed: bluetoothd has stopped, or another host is connected to the device.
        case ended(BlueZError)
    }

    /// A call of `Connect` and its outcome.
    struct Call {
        let path: ObjectPath
        /// The number of the call, which distinguishes its answer from a delayed answer to an earlier call.
        let number: UInt64
        var answer: Result<Void, BlueZError>?
        /// The reason why the link was lost after it had been up.
        var lossReason: String?

        /// Returns the state for a device that the host has already connected, which needs no call.
        static func systemLink(_ path: ObjectPath) -> Call {
            Call(path: path, number: 0, answer: .success(()))
        }
    }

    /// The next action of the client.
    enum Step: Hashable, Sendable {
        case wait
        /// The link is up: the next attempt can use the adapter.
        case linked
        /// bluetoothd reports the services as resolved, sometimes before they are on the bus. `missing` lists the
        /// required and optional characteristics that are not yet on the bus.
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

    /// Ends the attempt because another host is connected to the device, unless this host already has a link to the
    /// device.
    ///
    /// A peripheral that is connected to another host does not advertise, so the attempt would block the adapter until
    /// the time limit.
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
    ///   - found: The characteristics of the device. Evaluated only once the services are resolved, because this method
    ///     runs after each change.
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

    /// Returns the missing characteristics that are required; none if the device has all characteristics that may
    /// replace them.
    func needed(of missing: [CharacteristicID]) -> [CharacteristicID] {
        let substitutes = requirements.substitutes
        guard substitutes.isEmpty || substitutes.contains(where: missing.contains) else { return [] }
        return missing.filter(requirements.required.contains)
    }

    func error(_ code: BlueZError.Code, _ reason: String) -> BlueZError {
        BlueZError(code, "Connect", on: address.description, reason)
    }

    var forgotten: BlueZError { error(.unknownDevice, "BlueZ removed the device") }

    /// Returns the error for a lost link. Returns nil until the answer to `Connect` has arrived, because that answer is
    /// more precise.
    private func lossError(_ call: Call) -> BlueZError? {
        guard call.answer != nil, let reason = call.lossReason else { return nil }
        return error(.refused, "connected, then lost: \(reason)")
    }
}

extension ConnectAttempt.Call {
    /// The error of an answer that ends the attempt. Nil for an error which means that another program is connecting or
    /// has connected the device; then only the resulting connection state counts.
    fileprivate var refusal: BlueZError? {
        guard case .failure(let error) = answer, error.code != .inProgress, error.code != .alreadyDone
        else { return nil }
        return error
    }
}
