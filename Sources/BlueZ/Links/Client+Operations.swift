package import Bluetooth
import DBus
import EventLoop

extension Client {
    /// Carries out an operation on a link. Call it on the loop's thread, where the result is reported too.
    ///
    /// Only one operation per characteristic should be in flight, in addition to writes without response. bluetoothd
    /// rejects a second operation with `InProgress`, and the client then retries that operation every 20 ms.
    ///
    /// - Parameters:
    ///   - isWanted: Called whenever the call is about to be sent: now, and before each retry.
    ///   - token: The number by which a waiting task can stop the retries.
    ///   - mayRetry: Whether the operation may be retried.
    ///   - handler: Called once. If nothing is sent, it is called immediately. Otherwise it is called with bluetoothd's
    ///     answer, after the time limit, or when the link is lost, before the link's handler. A read returns its value,
    ///     the other operations return nothing. A write without response succeeds when bluetoothd has accepted it. The
    ///     error is `cancelled` if `isWanted` returns false.
    package func perform(
        _ operation: LinkOperation, link number: UInt64,
        while isWanted: @escaping @Sendable () -> Bool = { true }, token: UInt64? = nil,
        mayRetry: Bool = true, then handler: @escaping OperationHandler
    ) {
        guard let link = links[number: number] else {
            let subject = operation.characteristic.description
            return handler(
                .failure(BlueZError(.notConnected, operation.method, on: subject, "the link has ended")))
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

    /// Carries out an operation and waits for its result. Cancellation only stops the retries: the client must know the
    /// outcome of every call that it sent.
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

    /// Writes a value. A write without response is not retried if a newer write to the same characteristic follows,
    /// because a retry would send the values in the wrong order.
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
    /// Whether the operation concerns the battery level. bluetoothd may read the battery service itself, and then
    /// provides the level only on the interface `Battery1`.
    var isOfBattery: Bool {
        path == nil && operation.characteristic == GattTable.batteryLevel && link.table.battery != nil
    }
}
