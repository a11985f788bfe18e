import Bluetooth
import DBus
import EventLoop

// What operations on a link are made of: a call of bluetoothd that ends with the link at the latest.
extension Client {
    func requireLink(
        _ number: UInt64, _ operation: String, _ id: CharacteristicID
    ) throws(BlueZError) -> LinkState {
        guard let link = links[number: number] else {
            throw BlueZError(.notConnected, operation, on: "\(id)", "the link is gone")
        }
        return link
    }

    func requireCharacteristic(
        _ id: CharacteristicID, _ link: LinkState, _ operation: String
    ) throws(BlueZError) -> GattCharacteristic {
        guard let characteristic = link.table.characteristics[id] else {
            throw failure(.notSupported, operation, link, id, "the device has no such characteristic")
        }
        return characteristic
    }

    func failure(
        _ code: BlueZError.Code, _ operation: String, _ link: LinkState, _ id: CharacteristicID,
        _ reason: String
    ) -> BlueZError {
        BlueZError(code, operation, on: "\(link.address) \(id)", reason)
    }

    func makeCall(
        _ member: String, of interface: String = Names.characteristic, at path: ObjectPath,
        _ link: LinkState, _ id: CharacteristicID, _ arguments: [Value] = [],
        while isWanted: @escaping @Sendable () -> Bool = { true }, then complete: @escaping CallHandler
    ) -> LinkCall {
        var message = Message(call: member, of: interface, at: path, on: Names.service, arguments)
        message.startsService = false
        return LinkCall(
            member, .message(message), link, id, deadline: EventLoop.now + limits.operation, while: isWanted,
            then: .answer(complete))
    }

    /// Carries a call out; its end is told once, at once if it does not leave. While bluetoothd calls something else in
    /// progress (another program's operation, or one that took too long before), it is asked again.
    func operate(_ call: LinkCall) {
        guard call.link.phase != .lost else {
            return finish(call, .failure(call.link.lostError(call.member)))
        }
        guard call.isWanted() else {
            return finish(
                call,
                .failure(BlueZError(.cancelled, call.member, on: call.subject, "it is not wanted any more")))
        }
        call.link.calls.append(call)
        send(call)
    }

    /// Carries a call out and waits for its end.
    func operate(
        _ member: String, of interface: String = Names.characteristic, at path: ObjectPath,
        _ link: LinkState, _ id: CharacteristicID, _ arguments: [Value] = []
    ) async -> Result<[Value], BlueZError> {
        await withCheckedContinuation { continuation in
            operate(
                makeCall(member, of: interface, at: path, link, id, arguments) {
                    continuation.resume(returning: $0)
                })
        }
    }

    private func send(_ call: LinkCall) {
        guard let connection = service.bus?.connection, service.owner != nil else {
            return answered(call, .failure(away(call.member, call.subject)))
        }
        do {
            try connection.start(call.request, timeout: max(call.deadline - EventLoop.now, limits.retry)) {
                self.answered(call, Self.outcome($0, call.member, call.subject))
            }
        } catch {
            answered(call, .failure(BlueZError(error, call.member, on: call.subject)))
        }
    }

    private func answered(_ call: LinkCall, _ result: Result<[Value], BlueZError>) {
        guard call.ending != nil else { return }
        guard case .failure(let error) = result, error.code == .inProgress, call.mayRetry,
            EventLoop.now + limits.retry < call.deadline
        else { return finish(call, result) }
        call.pause = loop.schedule(after: limits.retry) {
            guard call.ending != nil else { return }
            guard call.mayRetry, call.isWantedAgain else { return self.finish(call, result) }
            self.send(call)
        }
    }

    func finish(_ call: LinkCall, _ result: Result<[Value], BlueZError>) {
        guard let ending = call.ending else { return }
        call.ending = nil
        call.pause?.cancel()
        if let place = call.link.calls.firstIndex(where: { $0 === call }) {
            call.link.calls.remove(at: place)
        }
        ending.tell(result)
    }

    /// Lets the call that a task waits for be tried no more, since the task was cancelled.
    func endRetries(of token: UInt64, link number: UInt64) {
        links[number: number]?.calls.first { $0.token == token }?.mayRetry = false
    }
}
