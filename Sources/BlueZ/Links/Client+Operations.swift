package import Bluetooth
import DBus
import EventLoop

extension Client {
    /// Carries out an operation on a link; on the loop's thread, where its end is told too.
    ///
    /// One operation per characteristic is to be under way at a time, next to writes without response: of two, bluetoothd
    /// refuses one with `InProgress`, which is tried again every 20 ms.
    ///
    /// - Parameters:
    ///   - isWanted: Is asked whenever the call is about to leave: now, and before each further try.
    ///   - token: A number by which a task ends the tries.
    ///   - mayRetry: Whether it may be tried again.
    ///   - handler: Called once: at once if nothing is sent, otherwise with bluetoothd's answer, after the time limit of
    ///     an operation or when the link is lost, before the link's handler. A read gives its value, the others nothing.
    ///     A write without response succeeds when bluetoothd took it. `cancelled` if it is not wanted.
    package func perform(
        _ operation: LinkOperation, link number: UInt64,
        while isWanted: @escaping @Sendable () -> Bool = { true }, token: UInt64? = nil,
        mayRetry: Bool = true, then handler: @escaping OperationHandler
    ) {
        guard let link = links[number: number] else {
            let subject = operation.characteristic.description
            return handler(
                .failure(BlueZError(.notConnected, operation.method, on: subject, "the link is gone")))
        }
        let call = LinkCall(
            operation, link, while: isWanted, token: token, mayRetry: mayRetry, then: handler)
        switch operation {
        case .write(let value): write(value, call)
        case .read: read(call)
        case .subscribe: subscribe(call)
        case .unsubscribe: unsubscribe(call)
        }
    }

    /// Carries out an operation and waits for its end. A cancelled task only ends the tries: what was begun has to be
    /// known to have ended.
    func perform(
        _ operation: LinkOperation, link number: UInt64,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) async -> Result<[UInt8], BlueZError> {
        let token = makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform(
                    operation, link: number, while: isWanted, token: token, mayRetry: !Task.isCancelled
                ) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            loop.execute {
                self.assumeIsolated {
                    $0.links[number: number]?.calls.first { $0.token == token }?.mayRetry = false
                }
            }
        }
    }

    /// A write without response that has to be tried again gives way to a newer one, which it must not follow.
    private func write(_ write: Write, _ call: LinkCall) {
        guard let path = call.path else { return call.fail(.notSupported, Self.noCharacteristic) }
        do {
            let template = try call.link.writeTemplate(of: write.characteristic, write.kind, at: path)
            if write.kind == .withoutResponse {
                let number = makeNumber()
                call.link.commands[write.characteristic] = number
                call.command = number
            }
            operate(call, "WriteValue", .template(template, write.value))
        } catch {
            call.end(.failure(BlueZError(error, "WriteValue", on: call.subject)))
        }
    }

    private func read(_ call: LinkCall) {
        guard let path = call.path else {
            guard call.isOfBattery, let percent = tree.batteries[call.link.device] else {
                return call.fail(.notSupported, Self.noCharacteristic)
            }
            return call.end(.success([UInt8(clamping: percent)]))
        }
        call.sink = sinks[path]
        call.sink?.echo.readStarted()
        operate(call, "ReadValue", [.properties([:])], at: path)
    }

    func readEnded(_ call: LinkCall, _ result: Result<[Value], BlueZError>) {
        let value = try? result.get().first?.bytes
        if let path = call.path, let sink = call.sink, sinks[path] === sink,
            let held = sink.echo.readEnded(value)
        {
            sink.deliver(held)
        }
        switch (result, value) {
        case (.failure(let error), _): call.end(.failure(error))
        case (_, let value?): call.end(.success(value))
        case (_, nil): call.fail(.failed, "bluetoothd answered without a value")
        }
    }

    static let noCharacteristic = "the device has no such characteristic"
}

extension LinkCall {
    /// Whether it is of a battery level that bluetoothd keeps to itself: `Battery1` has it.
    var isOfBattery: Bool {
        path == nil && operation.characteristic == GattTable.batteryLevel && link.table.battery != nil
    }
}
