import Bluetooth
import DBus

/// One connection that is being made, from the request to the link. Pure: the client enters what bluetoothd reports, and
/// asks for the next step after each change.
struct ConnectAttempt {
    /// How far it is.
    enum Phase {
        /// It waits for its turn on the adapter.
        case waiting
        /// `Connect` is called, and the link is not up so far.
        case calling(Call)
        /// The link is up, and its services become known.
        case resolving(Call)
        /// What BlueZ remembers of the device is removed; the object is gone, even if it is back by now.
        case forgetting(ObjectPath, isGone: Bool)
        /// It cannot succeed any more: bluetoothd is gone, or another host has the device.
        case ended(BlueZError)
    }

    /// A call of `Connect`, and what came of it.
    struct Call {
        let path: ObjectPath
        /// Tells its answer from that of an earlier call, which may come late.
        let number: UInt64
        var answer: Result<Void, BlueZError>?
        /// Why the link that was up is gone again.
        var lossReason: String?

        /// A link that the system has made needs no call.
        static func systemLink(_ path: ObjectPath) -> Call {
            Call(path: path, number: 0, answer: .success(()))
        }
    }

    /// What is to be done next.
    enum Step: Hashable, Sendable {
        case wait
        /// The link is up: the adapter's turn can pass on.
        case linked
        /// bluetoothd reports the services as resolved, which it does at times before they are on the bus: these
        /// characteristics are missing (so far).
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

    // MARK: What happens

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

    /// Ends the attempt since another host has the device; not one that has succeeded in reaching it.
    ///
    /// The peripheral does not advertise to this host then, and the adapter would be kept from other devices until the
    /// time limit.
    mutating func withdraw() {
        switch phase {
        case .waiting, .forgetting: break
        case .calling(let call) where call.answer == nil: break
        case .calling, .resolving, .ended: return
        }
        enter(.ended(error(.unreachable, "another host has it")))
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

    // MARK: What follows

    /// What bluetoothd has answered to `Connect`; nil until it has.
    var answer: Result<Void, BlueZError>? {
        switch phase {
        case .calling(let call), .resolving(let call): call.answer
        case .waiting, .forgetting, .ended: nil
        }
    }

    /// - Parameters:
    ///   - device: The object that is connected; nil if the host has forgotten it.
    ///   - found: Its characteristics, which are looked up only when the services are resolved: this is asked at each change.
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

    /// The required characteristics among those that are missing; none if the device has all substitutes for them.
    func needed(of missing: [CharacteristicID]) -> [CharacteristicID] {
        let substitutes = requirements.substitutes
        guard substitutes.isEmpty || substitutes.contains(where: missing.contains) else { return [] }
        return missing.filter(requirements.required.contains)
    }

    func error(_ code: BlueZError.Code, _ reason: String) -> BlueZError {
        BlueZError(code, "Connect", on: address.description, reason)
    }

    var forgotten: BlueZError { error(.unknownDevice, "the host forgot the device") }

    /// That the link is gone again; nil as long as the answer to `Connect`, which tells more, has not come.
    private func lossError(_ call: Call) -> BlueZError? {
        guard call.answer != nil, let reason = call.lossReason else { return nil }
        return error(.refused, "connected, but then: \(reason)")
    }
}

extension ConnectAttempt.Call {
    /// An answer that ends the attempt. With the others another program connects the device, or has connected it: what
    /// counts is whether it is connected in the end.
    fileprivate var refusal: BlueZError? {
        guard case .failure(let error) = answer, error.code != .inProgress, error.code != .alreadyDone
        else { return nil }
        return error
    }
}
