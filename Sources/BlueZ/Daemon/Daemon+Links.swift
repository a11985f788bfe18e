import Bluetooth
import DBus
import EventLoop
import Logging

extension Daemon {
    func link(_ number: UInt64) -> LinkState? { links.values.first { $0.number == number } }

    /// Ends a link: nobody is left waiting, and its handler hears of it last.
    func endLink(_ path: ObjectPath, reason: String) {
        guard let link = links.removeValue(forKey: path) else { return }
        link.isLost = true
        updateAgent()
        link.renewal?.cancel()
        for (path, sink) in sinks where sink.link === link {
            sink.finish()
            sinks[path] = nil
        }
        for writer in link.writers.values { writer.cancel() }
        link.writers = [:]
        let pending = link.pending.values
        let turns = link.turns.values
        link.pending = [:]
        link.turns = [:]
        for call in pending { call.continuation.resume(returning: .failure(link.lostError(call.operation))) }
        for waiting in turns.joined() { waiting.resume() }
        logger.debug("Link is gone", metadata: ["device": "\(link.address)", "reason": "\(reason)"])
        link.handler(.lost(reason: reason))
        // Controllers report a device once in 10 s of discovery; this one is to be heard as soon as it is back.
        if isServing, let adapter = path.parent { control(adapter) { $0.renew() } }
    }

    /// Closes a link on request.
    func disconnect(link number: UInt64) async {
        guard let link = link(number) else { return }
        link.isClosing = true
        if link.isShared, tree.devices[link.device]?.isPaired == true { return await leave(link) }
        await closeLink(link.device, subject: link.address.description)
        // bluetoothd did not answer, or keeps the link for another program: for this one it is over.
        if links[link.device] === link { endLink(link.device, reason: "disconnected by this bridge") }
    }

    /// Leaves a link to other programs on request.
    func leave(link number: UInt64) async {
        guard let link = link(number) else { return }
        link.isClosing = true
        await leave(link)
    }

    /// Ends this program's part of a link that the system uses too: its subscriptions.
    private func leave(_ link: LinkState) async {
        for (path, sink) in sinks where sink.link === link && !sink.isAcquired {
            sinks[path] = nil
            _ = await operate("StopNotify", at: path, link, sink.characteristic)
        }
        guard links[link.device] === link else { return }
        endLink(link.device, reason: "left to the system by this bridge")
        wake()
        // Nothing of the device changes, so that nothing else would tell that it can be had again.
        guard let device = tree.devices[link.device], device.isConnected else { return }
        tell(.heard(device.advertisement, adapter: device.adapter.name))
    }

    // MARK: Operations

    func read(_ id: CharacteristicID, link number: UInt64) async throws(BlueZError) -> [UInt8] {
        let link = try requireLink(number, "ReadValue", id)
        guard let characteristic = link.table.characteristics[id] else {
            return try readBattery(id, link)
        }
        let path = characteristic.path
        return try await inTurn(path, link, "ReadValue") { () async throws(BlueZError) in
            self.sinks[path]?.echo.readStarted()
            let result = await self.operate("ReadValue", at: path, link, id, [.properties([:])])
            let value = try? result.get().first?.bytes
            if let sink = self.sinks[path], let held = sink.echo.readEnded(value) { sink.deliver(held) }
            guard let bytes = try result.get().first?.bytes else {
                throw self.failure(.failed, "ReadValue", link, id, "bluetoothd answered without a value")
            }
            return bytes
        }
    }

    func write(
        _ value: [UInt8], to id: CharacteristicID, _ kind: WriteKind, link number: UInt64,
        while isWanted: @escaping @Sendable () -> Bool
    ) async throws(BlueZError) {
        let link = try requireLink(number, "WriteValue", id)
        let path = try requireCharacteristic(id, link, "WriteValue").path
        if kind == .withoutResponse, let socket = link.writers[path] {
            guard isWanted() else { throw unwanted("WriteValue", link, id) }
            switch socket.send(value) {
            case .sent: return
            case .full: throw failure(.inProgress, "WriteValue", link, id, "the socket is full")
            case .broken: throw failure(.notConnected, "WriteValue", link, id, "the socket is closed")
            }
        }
        let arguments: [Value] = [.bytes(value), .properties(["type": .string(kind.option)])]
        guard kind == .withResponse else {
            return try await command(arguments, at: path, link, id, while: isWanted)
        }
        try await inTurn(path, link, "WriteValue") { () async throws(BlueZError) in
            _ = try await self.operate("WriteValue", at: path, link, id, arguments, while: isWanted).get()
        }
    }

    private func unwanted(_ operation: String, _ link: LinkState, _ id: CharacteristicID) -> BlueZError {
        failure(.cancelled, operation, link, id, "it is not wanted any more")
    }

    /// Writes a command. It waits for nothing: the bus and bluetoothd keep the order, and bluetoothd takes a command
    /// while a read is in flight. One that has to be tried again gives way to a newer one, which it must not follow.
    private func command(
        _ arguments: [Value], at path: ObjectPath, _ link: LinkState, _ id: CharacteristicID,
        while isWanted: () -> Bool
    ) async throws(BlueZError) {
        let number = makeNumber()
        link.commands[path] = number
        let result = await operate("WriteValue", at: path, link, id, arguments) {
            link.commands[path] == number && isWanted()
        }
        _ = try result.get()
    }

    func descriptors(of id: CharacteristicID, link number: UInt64) -> [UUID] {
        guard let link = link(number), let path = link.table.characteristics[id]?.path else { return [] }
        return link.table.descriptors[path, default: []].map(\.uuid).sorted()
    }

    func readDescriptor(
        _ descriptor: UUID, of id: CharacteristicID, link number: UInt64
    ) async throws(BlueZError) -> [UInt8] {
        let link = try requireLink(number, "ReadValue", id)
        let characteristic = try requireCharacteristic(id, link, "ReadValue").path
        guard let path = link.table.descriptors[characteristic]?.first(where: { $0.uuid == descriptor })?.path
        else { throw failure(.notSupported, "ReadValue", link, id, "it has no descriptor \(descriptor)") }
        let result = await operate("ReadValue", of: Names.descriptor, at: path, link, id, [.properties([:])])
        guard let bytes = try result.get().first?.bytes else {
            throw failure(.failed, "ReadValue", link, id, "bluetoothd answered without a value")
        }
        return bytes
    }

    // MARK: What operations are made of

    func requireLink(
        _ number: UInt64, _ operation: String, _ id: CharacteristicID
    ) throws(BlueZError) -> LinkState {
        guard let link = link(number) else {
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

    /// Runs an operation when none is in flight on the characteristic: BlueZ refuses a second one.
    func inTurn<Result>(
        _ path: ObjectPath, _ link: LinkState, _ operation: String,
        _ body: () async throws(BlueZError) -> Result
    ) async throws(BlueZError) -> Result {
        if link.turns[path] == nil, !link.isLost {
            link.turns[path] = []
        } else {
            await withCheckedContinuation { continuation in
                if !link.isLost, link.turns[path] != nil {
                    link.turns[path]?.append(continuation)
                } else {
                    // Free by now, or never to be had.
                    if !link.isLost { link.turns[path] = [] }
                    continuation.resume()
                }
            }
        }
        guard !link.isLost else { throw link.lostError(operation) }
        defer {
            // The turn passes to the next without being free in between.
            if link.turns[path]?.isEmpty == true {
                link.turns[path] = nil
            } else {
                link.turns[path]?.removeFirst().resume()
            }
        }
        return try await body()
    }

    /// Calls bluetoothd for a link; ends with the link at the latest. While bluetoothd calls something else in
    /// progress (another program's operation, or one that took too long before), it is asked again.
    func operate(
        _ member: String, of interface: String = Names.characteristic, at path: ObjectPath,
        _ link: LinkState, _ id: CharacteristicID, _ arguments: [Value] = [],
        while isWanted: () -> Bool = { true }
    ) async -> Result<[Value], BlueZError> {
        let deadline = EventLoop.now + limits.operation
        guard isWanted() else { return .failure(unwanted(member, link, id)) }
        while true {
            let result = await callOnce(member, of: interface, at: path, arguments, deadline, link, id)
            guard case .failure(let error) = result, error.code == .inProgress, !Task.isCancelled,
                EventLoop.now + limits.retry < deadline
            else { return result }
            _ = await until(limits.retry) { link.isLost }
            guard !link.isLost else { return .failure(link.lostError(member)) }
            guard isWanted() else { return result }
        }
    }

    private func callOnce(
        _ member: String, of interface: String, at path: ObjectPath, _ arguments: [Value],
        _ deadline: Duration,
        _ link: LinkState, _ id: CharacteristicID
    ) async -> Result<[Value], BlueZError> {
        let (number, device) = (makeNumber(), link.device)
        return await withCheckedContinuation { continuation in
            guard !link.isLost else {
                return continuation.resume(returning: .failure(link.lostError(member)))
            }
            link.pending[number] = LinkState.Pending(operation: member, continuation: continuation)
            start(
                member, of: interface, at: path, arguments,
                limit: max(deadline - EventLoop.now, limits.retry),
                subject: "\(link.address) \(id)"
            ) { $0.links[device]?.pending.removeValue(forKey: number)?.continuation.resume(returning: $1) }
        }
    }
}
