import EventLoop
import Logging

extension Connection {
    /// Finds the called method and runs its handler.
    func receiveCall(_ message: IncomingMessage) {
        // libdbus rejects calls without a path or a member.
        guard let path = message.path, let member = message.member else { return }
        let interface = message.interface
        switch interface {
        case BusName.properties, BusName.introspectable, BusName.objectManager:
            if receiveStandardCall(message, interface: interface ?? "", member: member, path: path) { return }
        default: break
        }
        guard let (owner, method) = server.objects.method(member, of: interface, at: path),
            message.hasSignature(method.takes.description)
        else {
            return give(origin(of: message), .failure(unknown(message, path: path)))
        }
        let origin = origin(of: message, returns: method.returns)
        do {
            let call = MethodCall(
                sender: message.sender ?? "", path: path, interface: owner, member: member,
                arguments: try message.arguments(), wantsReply: message.wantsReply)
            run(method.handler, call, origin)
        } catch {
            give(origin, .failure(error))
        }
    }

    /// Sends the answer of a handler; only the first answer to a call is sent.
    func answer(_ number: UInt64, _ result: Result<[Value], any Error>) {
        guard let origin = server.answers.removeValue(forKey: number) else { return }
        give(origin, result)
    }

    /// Runs an asynchronous handler in a task, which the end of the connection cancels.
    func runTask(_ origin: CallOrigin, _ body: @escaping @Sendable () async throws -> [Value]) {
        let number = makeNumber()
        server.answers[number] = origin
        // The task is unstructured, because the caller that it serves is in another process.
        server.handlerTasks[number] = Task(executorPreference: loop) { [weak self] in
            let result: Result<[Value], any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            await self?.finishTask(number, result)
        }
    }

    func give(_ origin: CallOrigin, _ result: Result<[Value], any Error>) {
        guard isOpen else { return }
        do {
            switch result {
            case .success(let values):
                guard origin.wantsReply else { return }
                try check(values, origin)
                try send(origin.answer(values))
            case .failure(let error):
                guard origin.wantsReply else { return }
                try send(origin.answer(dbusError(error)))
            }
        } catch {
            logger.error(
                "the answer to a D-Bus call cannot be sent",
                metadata: ["call": "\(origin.operation)", "reason": "\(error)"])
            guard error.code == .invalidValue else { return }
            try? send(
                origin.answer(
                    DBusError(
                        name: DBusError.Name.failed, message: "The answer was invalid: \(error.message)")))
        }
    }

    func origin(of message: IncomingMessage, returns: Signature = "") -> CallOrigin {
        CallOrigin(
            sender: message.sender, serial: message.serial, wantsReply: message.wantsReply, returns: returns,
            operation: "\(message.interface ?? "").\(message.member ?? "")")
    }

    private func run(_ handler: Method.Handler, _ call: MethodCall, _ origin: CallOrigin) {
        switch handler {
        case .immediate(let handler):
            give(origin, Result { try handler(call) })
        case .waiting(let handler):
            runTask(origin) { try await handler(call) }
        case .deferred(let handler):
            let number = makeNumber()
            server.answers[number] = origin
            handler(call, Answer(number: number, connection: self))
        }
    }

    private func finishTask(_ number: UInt64, _ result: Result<[Value], any Error>) {
        server.handlerTasks[number] = nil
        answer(number, result)
    }

    private func check(_ values: [Value], _ origin: CallOrigin) throws(DBusError) {
        let types = origin.returns.types
        guard values.count == types.count else {
            throw .invalid("Expected values of \"\(origin.returns)\"; found \(values.count) values")
        }
        for (value, type) in zip(values, types) { try value.validate(as: type) }
    }

    private func dbusError(_ error: any Error) -> DBusError {
        if let error = error as? DBusError { return error }
        return DBusError(name: DBusError.Name.failed, message: "\(error)")
    }

    /// Returns the error for an unknown method. The message is libdbus's, because programs check for its text.
    private func unknown(_ message: IncomingMessage, path: ObjectPath) -> DBusError {
        DBusError(
            name: server.objects.isKnown(path) ? DBusError.Name.unknownMethod : DBusError.Name.unknownObject,
            message:
                "Method \"\(message.member ?? "")\" with signature \"\(message.signature)\" on interface "
                + "\"\(message.interface ?? "(null)")\" doesn't exist\n")
    }
}
