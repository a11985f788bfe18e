import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    func subscribe(_ call: LinkCall) {
        guard let path = call.path else {
            guard call.isOfBattery else { return call.fail(.notSupported, Self.noCharacteristic) }
            call.link.watchesBattery = true
            return call.end(.success([]))
        }
        guard sinks[path] == nil else { return call.end(.success([])) }
        let id = call.operation.characteristic
        let sink = NotificationSink(link: call.link, characteristic: id)
        call.sink = sink
        guard mayAcquire(id, on: call.link) else { return startNotify(call, sink, at: path) }
        operate(call, "AcquireNotify", [.properties([:])], at: path)
    }

    /// Returns whether to request a notification socket. bluetoothd provides a socket for notifications, but not for
    /// indications.
    private func mayAcquire(_ characteristic: CharacteristicID, on link: LinkState) -> Bool {
        guard !link.requirements.needsSignals,
            link.table.characteristics[characteristic]?.properties.contains(.notify) == true
        else { return false }
        let adapter = link.device.parent.flatMap { tree.adapters[$0] }
        return settings.acquisition.applies(to: adapter?.version)
    }

    private func startNotify(_ call: LinkCall, _ sink: NotificationSink, at path: ObjectPath) {
        // The sink is registered before the call, so that the first notification is not lost.
        sinks[path] = sink
        operate(call, "StartNotify", at: path)
    }

    func subscribed(_ call: LinkCall, _ result: Result<[Value], BlueZError>) {
        guard let path = call.path, let sink = call.sink else { return call.end(result.map { _ in [] }) }
        switch (call.member, result) {
        case ("AcquireNotify", .success(let answer)):
            guard let socket = Self.socket(answer) else { return startNotify(call, sink, at: path) }
            receive(through: socket, sink, at: path)
        case ("AcquireNotify", .failure(let error)) where error.code == .notConnected:
            forgetAcquisition(at: path)
        case ("AcquireNotify", .failure(let error)) where ![.serviceAway, .cancelled].contains(error.code):
            if [.timeout, .notPermitted].contains(error.code) { forgetAcquisition(at: path) }
            logger.debug(
                "bluetoothd provides no notification socket; notifications arrive as signals",
                metadata: ["reason": "\(error)"])
            // Without a socket, notifications arrive as signals.
            return startNotify(call, sink, at: path)
        case (_, .failure):
            if sinks[path] === sink { sinks[path] = nil }
        case (_, .success): break
        }
        call.end(result.map { _ in [] })
    }

    /// Ends an `AcquireNotify` that has no answer. bluetoothd keeps it when the link or the program ends, and then
    /// rejects each later subscription with `NotPermitted: Notify acquired` (`notify_io` in src/gatt-client.c of 5.87).
    private func forgetAcquisition(at path: ObjectPath) {
        var message = Message(call: "StopNotify", of: Names.characteristic, at: path, on: Names.service)
        message.startsService = false
        // bluetoothd rejects the call if it has already ended the other one, or has removed the characteristic.
        try? service.bus?.connection.start(.message(message), timeout: limits.operation) { _ in }
    }

    func unsubscribe(_ call: LinkCall) {
        if call.isOfBattery { call.link.watchesBattery = false }
        guard let path = call.path, let sink = sinks.removeValue(forKey: path), !sink.endSocket() else {
            return call.end(.success([]))
        }
        operate(call, "StopNotify", at: path)
    }

    private func receive(through socket: AcquiredSocket, _ sink: NotificationSink, at path: ObjectPath) {
        sink.socket = socket
        sinks[path] = sink
        socket.receive(on: loop) { [weak sink] in
            sink?.deliver($0)
        } ended: { [weak self, id = sink.characteristic] in
            // bluetoothd closes the socket when the link is lost, and signals the loss at about the same time. If the
            // loss was handled before, the sink no longer exists.
            self?.assumeIsolated { client in
                guard client.sinks[path]?.isAcquired == true else { return }
                client.logger.debug(
                    "bluetoothd closed the notification socket of a characteristic; its notifications end",
                    metadata: ["characteristic": "\(id)"])
                client.sinks[path] = nil
            }
        }
    }

    private static func socket(_ answer: [Value]) -> AcquiredSocket? {
        guard answer.count == 2, let descriptor = answer[0].descriptor else { return nil }
        return AcquiredSocket(descriptor, mtu: answer[1].integer ?? 0)
    }

    /// Reports the level of a battery that bluetoothd itself reads.
    func batteryChanged(_ device: ObjectPath, _ percent: Int?) {
        guard let percent, let link = links[device], link.watchesBattery else { return }
        link.handler(.notification(GattTable.batteryLevel, [UInt8(clamping: percent)]))
    }
}
