package import Bluetooth
import DBus
import EventLoop

/// Takes the end of an operation, on the loop.
package typealias OperationHandler = @Sendable (Result<[UInt8], BlueZError>) -> Void

extension Client {
    /// Carries out an operation on a link; on the loop's thread, where its end is told too.
    ///
    /// One operation per characteristic is to be under way at a time, next to writes without response: of two, bluetoothd
    /// refuses one with `InProgress`, which is tried again every 20 ms.
    ///
    /// - Parameters:
    ///   - isWanted: Is asked whenever the call is about to leave: now, and before each further try.
    ///   - token: A number by which ``endRetries(of:link:)`` finds it.
    ///   - mayRetry: Whether it may be tried again.
    ///   - handler: Called once: at once if nothing is sent, otherwise with bluetoothd's answer, after the time limit of
    ///     an operation or when the link is lost, before the link's handler. A read gives its value, the others nothing.
    ///     A write without response succeeds when bluetoothd took it. `cancelled` if it is not wanted.
    package func perform(
        _ operation: LinkOperation, on link: Link, while isWanted: @escaping @Sendable () -> Bool = { true },
        token: UInt64? = nil, mayRetry: Bool = true, then handler: @escaping OperationHandler
    ) {
        do throws(BlueZError) {
            let link = try requireLink(link.number, operation.method, operation.characteristic)
            let call: LinkCall?
            switch operation {
            case .write(let value): call = try write(value, link, while: isWanted, then: handler)
            case .read(let id): call = try read(id, link, while: isWanted, then: handler)
            case .subscribe(let id): call = try subscribe(id, link, while: isWanted, then: handler)
            case .unsubscribe(let id): call = unsubscribe(id, link, while: isWanted, then: handler)
            }
            guard let call else { return }
            call.token = token
            call.mayRetry = mayRetry
            operate(call)
        } catch {
            handler(.failure(error))
        }
    }

    /// Carries out an operation and waits for its end. A cancelled task only ends the tries: what was begun has to be
    /// known to have ended.
    func perform(
        _ operation: LinkOperation, on link: Link, while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async -> Result<[UInt8], BlueZError> {
        let token = makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform(operation, on: link, while: isWanted, token: token, mayRetry: !Task.isCancelled) {
                    continuation.resume(returning: $0)
                }
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.endRetries(of: token, link: link.number) } }
        }
    }

    /// Makes the call that writes a value.
    ///
    /// A write without response that has to be tried again gives way to a newer one, which it must not follow.
    private func write(
        _ write: Write, _ link: LinkState, while isWanted: @escaping @Sendable () -> Bool,
        then handler: @escaping OperationHandler
    ) throws(BlueZError) -> LinkCall {
        let id = write.characteristic
        let path = try requireCharacteristic(id, link, "WriteValue").path
        let template: CallTemplate
        do {
            template = try link.writeTemplate(of: id, write.kind, at: path)
        } catch {
            throw BlueZError(error, "WriteValue", on: "\(link.address) \(id)")
        }
        let call = LinkCall(
            "WriteValue", .template(template, write.value), link, id,
            deadline: EventLoop.now + limits.operation, while: isWanted, then: .operation(handler))
        if write.kind == .withoutResponse {
            let number = makeNumber()
            link.commands[id] = number
            call.command = number
        }
        return call
    }

    /// Makes the call that reads a value; nil if it is known already.
    private func read(
        _ id: CharacteristicID, _ link: LinkState, while isWanted: @escaping @Sendable () -> Bool,
        then handler: @escaping OperationHandler
    ) throws(BlueZError) -> LinkCall? {
        guard let path = link.table.characteristics[id]?.path else {
            handler(.success(try readBattery(id, link)))
            return nil
        }
        let sink = sinks[path]
        sink?.echo.readStarted()
        return makeCall("ReadValue", at: path, link, id, [.properties([:])], while: isWanted) {
            let value = try? $0.get().first?.bytes
            if let sink, self.sinks[path] === sink, let held = sink.echo.readEnded(value) {
                sink.deliver(held)
            }
            handler(
                $0.flatMap { arguments in
                    if let bytes = arguments.first?.bytes { return .success(bytes) }
                    return .failure(
                        self.failure(
                            .failed, "ReadValue", link, id, "bluetoothd answered without a value"))
                })
        }
    }
}
