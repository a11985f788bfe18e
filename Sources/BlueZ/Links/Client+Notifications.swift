import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Makes the call that subscribes to a characteristic; nil if nothing is to be called.
    func subscribe(
        _ id: CharacteristicID, _ link: LinkState, while isWanted: @escaping @Sendable () -> Bool,
        then handler: @escaping OperationHandler
    ) throws(BlueZError) -> LinkCall? {
        guard let characteristic = link.table.characteristics[id] else {
            guard isSubstitute(id, link) else {
                throw failure(.notSupported, "StartNotify", link, id, "the device has no such characteristic")
            }
            link.watchesBattery = true
            handler(.success([]))
            return nil
        }
        let path = characteristic.path
        guard sinks[path] == nil else {
            handler(.success([]))
            return nil
        }
        let sink = NotificationSink(link: link, characteristic: id)
        guard settings.acquiresNotifications, characteristic.properties.contains(.notify) else {
            return startNotify(sink, at: path, while: isWanted, then: handler)
        }
        return makeCall("AcquireNotify", at: path, link, id, [.properties([:])], while: isWanted) {
            switch $0 {
            case .success(let answer):
                if let socket = Self.socket(answer) {
                    self.receive(through: socket, sink, at: path)
                    return handler(.success([]))
                }
            case .failure(let error) where [.notConnected, .serviceAway, .cancelled].contains(error.code):
                return handler(.failure(error))
            case .failure(let error):
                self.logger.debug("no socket for notifications", metadata: ["reason": "\(error)"])
            }
            // Signals have to do.
            self.operate(self.startNotify(sink, at: path, while: isWanted, then: handler))
        }
    }

    private func startNotify(
        _ sink: NotificationSink, at path: ObjectPath, while isWanted: @escaping @Sendable () -> Bool,
        then handler: @escaping OperationHandler
    ) -> LinkCall {
        // In place before the call, so that the first notification is not lost.
        sinks[path] = sink
        return makeCall("StartNotify", at: path, sink.link, sink.characteristic, while: isWanted) {
            if case .failure = $0, self.sinks[path] === sink { self.sinks[path] = nil }
            handler($0.map { _ in [] })
        }
    }

    /// Makes the call that ends a subscription; nil if nothing is to be called.
    func unsubscribe(
        _ id: CharacteristicID, _ link: LinkState, while isWanted: @escaping @Sendable () -> Bool,
        then handler: @escaping OperationHandler
    ) -> LinkCall? {
        let path = link.table.characteristics[id]?.path
        if path == nil, isSubstitute(id, link) { link.watchesBattery = false }
        guard let path, let sink = sinks.removeValue(forKey: path), !sink.endSocket() else {
            handler(.success([]))
            return nil
        }
        return makeCall("StopNotify", at: path, link, id, while: isWanted) { handler($0.map { _ in [] }) }
    }

    /// Takes notifications through a socket.
    private func receive(through socket: AcquiredSocket, _ sink: NotificationSink, at path: ObjectPath) {
        sink.socket = socket
        sinks[path] = sink
        let id = sink.characteristic
        socket.receive(on: loop) { [weak sink] in
            sink?.deliver($0)
        } ended: { [weak self] in
            self?.assumeIsolated { $0.endAcquired(id, at: path) }
        }
    }

    /// bluetoothd closes the socket when the link goes, which it signals at about the same time.
    private func endAcquired(_ id: CharacteristicID, at path: ObjectPath) {
        guard let sink = sinks[path], sink.isAcquired else { return }
        logger.debug("socket for notifications ended", metadata: ["characteristic": "\(id)"])
        sinks[path] = nil
    }

    private static func socket(_ answer: [Value]) -> AcquiredSocket? {
        guard answer.count == 2, let descriptor = answer[0].descriptor else { return nil }
        return AcquiredSocket(descriptor, mtu: answer[1].integer ?? 0)
    }

    // MARK: The battery that bluetoothd reads by itself

    /// Whether `Battery1` stands in for the characteristic.
    private func isSubstitute(_ id: CharacteristicID, _ link: LinkState) -> Bool {
        id == GattTable.batteryLevel && link.table.battery != nil
    }

    func readBattery(_ id: CharacteristicID, _ link: LinkState) throws(BlueZError) -> [UInt8] {
        guard isSubstitute(id, link), let percent = tree.batteries[link.device] else {
            throw failure(.notSupported, "ReadValue", link, id, "the device has no such characteristic")
        }
        return [UInt8(clamping: percent)]
    }

    func batteryChanged(_ device: ObjectPath, _ percent: Int?) {
        guard let percent, let link = links[device], link.watchesBattery else { return }
        link.handler(.notification(GattTable.batteryLevel, [UInt8(clamping: percent)]))
    }
}
