package import Bluetooth
import ESPHome

extension ProxySession {
    struct PendingOperation: Sendable {
        let number: Int
        let handle: UInt16
        let operation: Operation
        /// The time limit of the answer; nil before it is sent.
        var deadline: Duration?
        /// The time from which no further operation is accepted; nil before it is sent, and for other operations than
        /// writes.
        var stall: Duration?
        /// Whether the proxy forwards notifications, so that the descriptor of the device is written.
        var isForwarding = false
        /// The number of attempts at which the device was busy.
        var attempts = 0
    }

    /// Starts an operation on an attribute of an open connection. A device's next operation is sent after the answer to
    /// the previous one, so that commands do not accumulate on the way to the device.
    ///
    /// - Parameters:
    ///   - number: The number in ``Output/completed(_:_:)``.
    ///   - isFirst: Whether it is sent before all waiting operations, such as a stop.
    package mutating func perform(
        _ operation: Operation, on handle: UInt16, of address: Address, number: Int, isFirst: Bool = false,
        at time: Duration
    ) -> [Output] {
        func refusal(_ failure: OperationFailure) -> [Output] { [.completed(number, .failure(failure))] }
        guard pass(to: time), let link = links[address], link.state == .open else {
            return refusal(.notConnected)
        }
        if case .write(let value, _) = operation, value.count > link.mtu - 3 {
            return refusal(.tooLong(most: link.mtu - 3))
        }
        guard !link.isStalled else { return refusal(.stalled) }
        guard isFirst || link.operations.count < limits.operations else { return refusal(.full) }
        let pending = PendingOperation(number: number, handle: handle, operation: operation)
        let place = isFirst ? link.operations.prefix { $0.deadline != nil }.count : link.operations.count
        links[address]?.operations.insert(pending, at: place)
        sendNext(address)
        return takeOutputs()
    }

    /// Sends the first operation, unless it was sent or the device needs a pause.
    mutating func sendNext(_ address: Address) {
        guard let link = links[address], link.state == .open, link.pausedUntil == nil,
            let next = link.operations.first, next.deadline == nil
        else { return }
        var limit = limits.operation
        switch next.operation {
        case .read: send(.read(Attribute(address: address, handle: next.handle)))
        case .write(let value, let withResponse):
            limit = limits.acknowledgment
            links[address]?.operations[0].stall = now + limits.stall
            send(
                .write(
                    GATTWrite(
                        address: address, handle: next.handle, withResponse: withResponse, data: value)))
        case .notify(let isOn, _, _):
            send(.notify(Notify(address: address, handle: next.handle, isEnabled: isOn)))
        case .pair:
            limit = limits.pairing
            send(.device(DeviceRequest(.pair, address)))
        }
        links[address]?.operations[0].deadline = now + limit
    }

    /// Refuses the operations that wait for a late acknowledgment: they would be executed too late.
    mutating func stall(_ address: Address) {
        guard let operations = links[address]?.operations else { return }
        links[address]?.isStalled = true
        links[address]?.operations = Array(operations.prefix(1))
        fail(Array(operations.dropFirst()), .stalled)
    }

    /// Handles an answer or a notification.
    mutating func handleValue(_ message: Message) {
        switch message {
        case .notification(let value):
            guard links[value.address]?.state == .open else { break }
            report(.notification(value.address, handle: value.handle, value.data))
        case .readReply(let value):
            guard case .read? = waiting(value.address, value.handle)?.operation else { break }
            finish(value.address, .success(value.data))
        case .writeReply(let attribute): written(attribute)
        case .notifyReply(let attribute): forwarding(attribute)
        case .pairing(let pairing):
            guard case .pair? = waiting(pairing.address, nil)?.operation else { break }
            finish(pairing.address, pairing.isPaired ? .success([]) : .failure(.refused(pairing.error)))
        case .failure(let failure): failed(failure)
        default: break
        }
    }

    /// The operation that waits for an answer with this handle; nil for any handle.
    private func waiting(_ address: Address, _ handle: UInt16?) -> PendingOperation? {
        guard let first = links[address]?.operations.first, first.deadline != nil else { return nil }
        guard let handle else { return first }
        if case .notify(_, let descriptor, _) = first.operation, first.isForwarding {
            return descriptor == handle ? first : nil
        }
        return first.handle == handle ? first : nil
    }

    private mutating func written(_ attribute: Attribute) {
        guard let pending = waiting(attribute.address, attribute.handle) else { return }
        switch pending.operation {
        case .write: finish(attribute.address, .success([]))
        case .notify: if pending.isForwarding { finish(attribute.address, .success([])) }
        case .read, .pair: break
        }
    }

    /// The proxy forwards notifications, or no longer: now the descriptor of the device is written.
    private mutating func forwarding(_ attribute: Attribute) {
        guard let pending = waiting(attribute.address, attribute.handle), !pending.isForwarding,
            case .notify(let isOn, let descriptor, let isIndication) = pending.operation
        else { return }
        guard let descriptor else { return finish(attribute.address, .success([])) }
        links[attribute.address]?.operations[0].isForwarding = true
        links[attribute.address]?.operations[0].deadline = now + limits.operation
        // Bit 0 requests notifications, bit 1 indications (Core Specification, Vol 3, Part G, 3.3.3.3).
        let value: UInt8 = isOn ? (isIndication ? 2 : 1) : 0
        send(
            .writeDescriptor(
                AttributeValue(address: attribute.address, handle: descriptor, data: [value, 0])))
    }

    private mutating func failed(_ failure: GATTFailure) {
        let address = failure.address
        switch links[address]?.state {
        // ESPHome's own error: the device is not connected.
        case .open where failure.error == -1, .listing where failure.error == -1:
            return endLink(address, .code(-1))
        case .listing: return cancel(address, .noServices)
        default: break
        }
        guard let pending = waiting(address, failure.handle) else { return }
        switch (failure.error, pending.operation) {
        case (0x8F, .write):
            // Congested: the write was accepted.
            links[address]?.pausedUntil = now + limits.pause
            finish(address, .success([]))
        case (0x84, _) where pending.attempts < limits.attempts:
            links[address]?.operations[0] = PendingOperation(
                number: pending.number, handle: pending.handle, operation: pending.operation,
                attempts: pending.attempts + 1)
            links[address]?.isStalled = false
            links[address]?.pausedUntil = now + limits.pause
        default: finish(address, .failure(.refused(failure.error)))
        }
    }

    private mutating func finish(_ address: Address, _ result: Result<[UInt8], OperationFailure>) {
        guard let first = links[address]?.operations.removeFirst() else { return }
        links[address]?.isStalled = false
        complete(first.number, result)
        sendNext(address)
    }
}
