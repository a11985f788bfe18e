import Bluetooth
import DBus
import EventLoop

// The D-Bus calls of operations on a link. When a link ends, its pending operations end too.
extension Client {
    /// Calls a D-Bus method of the characteristic on which the operation works.
    func operate(_ call: LinkCall, _ member: String, _ arguments: [Value] = [], at path: ObjectPath) {
        var message = Message(
            call: member, of: Names.characteristic, at: path, on: Names.service, arguments)
        message.startsService = false
        operate(call, member, .message(message))
    }

    /// Carries out a call and reports its result once; immediately if the call cannot be sent. The call is retried
    /// while bluetoothd answers `InProgress`, because of another program's operation or an earlier operation that timed
    /// out.
    func operate(_ call: LinkCall, _ member: String, _ request: CallRequest) {
        (call.member, call.request) = (member, request)
        call.deadline = EventLoop.now + limits.operation
        guard call.link.phase != .lost else { return finish(call, .failure(call.link.lostError(member))) }
        guard call.isWanted() else {
            return finish(
                call,
                .failure(
                    BlueZError(.cancelled, member, on: call.subject, "the operation is no longer needed")))
        }
        call.link.calls.append(call)
        send(call)
    }

    private func send(_ call: LinkCall) {
        guard let connection = service.bus?.connection, service.owner != nil, let request = call.request
        else {
            return answered(call, .failure(away(call.member, call.subject)))
        }
        do {
            try connection.start(request, timeout: max(call.deadline - EventLoop.now, limits.retry)) {
                self.answered(call, Self.outcome($0, call.member, call.subject))
            }
        } catch {
            answered(call, .failure(BlueZError(error, call.member, on: call.subject)))
        }
    }

    private func answered(_ call: LinkCall, _ result: Result<[Value], BlueZError>) {
        guard !call.hasEnded else { return }
        guard case .failure(let error) = result, error.code == .inProgress, call.mayRetry,
            EventLoop.now + limits.retry < call.deadline
        else { return finish(call, result) }
        call.pause = loop.schedule(after: limits.retry) {
            guard !call.hasEnded else { return }
            guard call.isWantedAgain else { return self.finish(call, result) }
            self.send(call)
        }
    }

    func finish(_ call: LinkCall, _ result: Result<[Value], BlueZError>) {
        guard !call.hasEnded else { return }
        call.pause?.cancel()
        if let place = call.link.calls.firstIndex(where: { $0 === call }) {
            call.link.calls.remove(at: place)
        }
        switch call.operation {
        case .write, .unsubscribe: call.end(result.map { _ in [] })
        case .read: readEnded(call, result)
        case .subscribe: subscribed(call, result)
        }
    }
}
