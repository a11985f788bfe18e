import Bluetooth
import DBus
import EventLoop
import Logging

extension Daemon {
    func subscribe(_ id: CharacteristicID, link number: UInt64) async throws(BlueZError) {
        let link = try requireLink(number, "StartNotify", id)
        guard let characteristic = link.table.characteristics[id] else {
            guard isSubstitute(id, link) else {
                throw failure(.notSupported, "StartNotify", link, id, "the device has no such characteristic")
            }
            link.watchesBattery = true
            return
        }
        let path = characteristic.path
        try await inTurn(path, link, "StartNotify") { () async throws(BlueZError) in
            guard self.sinks[path] == nil else { return }
            let sink = NotificationSink(link: link, characteristic: id)
            if self.settings.acquiresNotifications, characteristic.properties.contains(.notify),
                try await self.acquireNotifications(sink, at: path)
            {
                return
            }
            // In place before the call, so that the first notification is not lost.
            self.sinks[path] = sink
            do throws(BlueZError) {
                _ = try await self.operate("StartNotify", at: path, link, id).get()
            } catch {
                if self.sinks[path] === sink { self.sinks[path] = nil }
                throw error
            }
        }
    }

    func unsubscribe(_ id: CharacteristicID, link number: UInt64) async throws(BlueZError) {
        let link = try requireLink(number, "StopNotify", id)
        guard let path = link.table.characteristics[id]?.path else {
            if isSubstitute(id, link) { link.watchesBattery = false }
            return
        }
        try await inTurn(path, link, "StopNotify") { () async throws(BlueZError) in
            guard let sink = self.sinks.removeValue(forKey: path) else { return }
            guard !sink.isAcquired else {
                // To close the socket is to unsubscribe.
                sink.socket?.cancel()
                sink.socket = nil
                return
            }
            _ = try await self.operate("StopNotify", at: path, link, id).get()
        }
    }

    /// Takes notifications through a socket; false if bluetoothd does not give one, so that signals have to do.
    private func acquireNotifications(
        _ sink: NotificationSink, at path: ObjectPath
    ) async throws(BlueZError) -> Bool {
        let (link, id) = (sink.link, sink.characteristic)
        switch await operate("AcquireNotify", at: path, link, id, [.properties([:])]) {
        case .success(let answer):
            guard !link.isLost else { throw link.lostError("AcquireNotify") }
            guard let socket = Self.socket(answer) else { return false }
            sink.socket = socket
            sinks[path] = sink
            socket.receive(on: loop) { [weak sink] in
                sink?.deliver($0)
            } ended: { [weak self] in
                self?.assumeIsolated { $0.endAcquired(id, at: path) }
            }
            return true
        case .failure(let error) where [.notConnected, .serviceAway, .cancelled].contains(error.code):
            throw error
        case .failure(let error):
            logger.debug("No socket for notifications", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// bluetoothd closes the socket when the link goes, which it signals at about the same time.
    private func endAcquired(_ id: CharacteristicID, at path: ObjectPath) {
        guard let sink = sinks[path], sink.isAcquired else { return }
        logger.debug("Socket for notifications ended", metadata: ["characteristic": "\(id)"])
        sinks[path] = nil
    }

    func acquireWriting(_ id: CharacteristicID, link number: UInt64) async throws(BlueZError) {
        let link = try requireLink(number, "AcquireWrite", id)
        let path = try requireCharacteristic(id, link, "AcquireWrite").path
        try await inTurn(path, link, "AcquireWrite") { () async throws(BlueZError) in
            guard link.writers[path] == nil else { return }
            let answer = try await self.operate("AcquireWrite", at: path, link, id, [.properties([:])]).get()
            guard !link.isLost else { throw link.lostError("AcquireWrite") }
            guard let socket = Self.socket(answer) else {
                throw self.failure(
                    .failed, "AcquireWrite", link, id, "bluetoothd answered without a descriptor")
            }
            link.writers[path] = socket
            socket.watchForEnd(on: self.loop) { [weak link] in link?.writers[path] = nil }
        }
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
