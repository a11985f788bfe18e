package import Bluetooth
import ESPHome

extension ProxySession {
    /// A connection to a device, or an attempt.
    struct Link: Sendable {
        enum State: Hashable, Sendable {
            /// An earlier connection still has its slot.
            case clearing
            case opening
            case listing
            case open
            /// The end was requested.
            case closing
        }

        let addressType: UInt32
        var state = State.clearing
        /// The time limit of the state; nil for an open connection.
        var deadline: Duration?
        var mtu = 23
        var services: [ServiceEntry] = []
        var attributes = 0
        /// The operations in order. The first one waits for its answer, or for the end of a pause.
        var operations: [PendingOperation] = []
        var pausedUntil: Duration?
        /// Whether the acknowledgment of a write is late.
        var isStalled = false
        /// The reason for the requested end.
        var failure = LinkFailure.timedOut
        /// Whether the end was reported when it was requested.
        var isReported = false

        var nextDeadline: Duration? {
            let first = operations.first
            return [deadline, pausedUntil, first?.deadline, isStalled ? nil : first?.stall]
                .compactMap { $0 }.min()
        }
    }

    /// Connects to a device and lists its services. Connect to one device at a time: a proxy opens one at a time.
    ///
    /// - Parameter addressType: 0 public, 1 random.
    /// - Returns: ``Event/connected(_:mtu:_:)`` or ``Event/connectFailed(_:_:)`` follows, now or later.
    package mutating func connect(_ address: Address, addressType: UInt32, at time: Duration) -> [Output] {
        guard pass(to: time), phase == .running, subscription.isActive else {
            return [.event(.connectFailed(address, .unavailable))]
        }
        guard links[address] == nil else { return [.event(.connectFailed(address, .busy))] }
        links[address] = Link(addressType: addressType, deadline: now + limits.disconnect)
        if !slots.allocated.contains(address.number) {
            open(address)
        } else if !ending.contains(address) {
            send(.device(DeviceRequest(.disconnect, address)))
        }
        return takeOutputs()
    }

    /// Closes a connection, or cancels the attempt.
    package mutating func disconnect(_ address: Address, at time: Duration) -> [Output] {
        guard pass(to: time) else { return [] }
        cancel(address, .requested)
        return takeOutputs()
    }

    /// Removes the bond between the proxy and a device, which need not be connected.
    package mutating func unpair(_ address: Address, at time: Duration) -> [Output] {
        guard pass(to: time), phase == .running else { return [] }
        send(.device(DeviceRequest(.unpair, address)))
        return takeOutputs()
    }

    private mutating func open(_ address: Address) {
        guard let link = links[address] else { return }
        links[address]?.state = .opening
        links[address]?.deadline = now + limits.connect
        var request = DeviceRequest(.connectWithoutCache, address)
        (request.hasAddressType, request.addressType) = (true, link.addressType)
        send(.device(request))
    }

    mutating func advanceLinks() {
        for (address, link) in links.sorted(by: { $0.key < $1.key }) {
            if let deadline = link.deadline, deadline <= now {
                switch link.state {
                case .clearing, .closing: endLink(address, .timedOut)
                case .listing: cancel(address, .noServices)
                case .opening, .open: cancel(address, .timedOut)
                }
                continue
            }
            if let deadline = link.operations.first?.deadline, deadline <= now {
                cancel(address, .timedOut)
                continue
            }
            if !link.isStalled, let stall = link.operations.first?.stall, stall <= now { self.stall(address) }
            if let end = link.pausedUntil, end <= now {
                links[address]?.pausedUntil = nil
                sendNext(address)
            }
        }
    }

    /// Requests the end of a connection. For the owner, an open connection ends at once.
    mutating func cancel(_ address: Address, _ failure: LinkFailure) {
        guard let link = links[address], link.state != .closing else { return }
        send(.device(DeviceRequest(.disconnect, address)))
        if failure == .noServices, info.proxyFeatures.contains(.clearCache) {
            // The next attempt must not get the list of the proxy's cache.
            send(.device(DeviceRequest(.clearCache, address)))
        }
        links[address]?.state = .closing
        links[address]?.deadline = now + limits.disconnect
        links[address]?.failure = failure
        links[address]?.pausedUntil = nil
        links[address]?.operations = []
        fail(link.operations, .notConnected)
        guard link.state == .open else { return }
        links[address]?.isReported = true
        report(.disconnected(address, failure))
    }

    mutating func updateSlots(_ slots: Slots) {
        self.slots = slots
        report(.slots(slots))
        ending = ending.filter { slots.allocated.contains($0.number) }
        for (address, link) in links.sorted(by: { $0.key < $1.key })
        where link.state == .clearing && !slots.allocated.contains(address.number) {
            open(address)
        }
    }

    mutating func update(_ state: Connection) {
        let address = state.address
        guard let link = links[address] else {
            // A connection that was not requested is not kept.
            if state.isConnected { send(.device(DeviceRequest(.disconnect, address))) }
            return
        }
        // An earlier connection has ended when its slot is free: firmware up to 2026.7 reports its end twice.
        guard link.state != .clearing else { return }
        guard state.isConnected else {
            if slots.allocated.contains(address.number) { ending.insert(address) }
            return endLink(address, link.state == .opening && state.error == 0 ? .noSlot : .code(state.error))
        }
        guard link.state == .opening else { return }
        links[address]?.state = .listing
        links[address]?.deadline = now + limits.services
        // The bounds are those of the ATT (Core Specification, Vol 3, Part F, 3.2.8 and 3.2.9).
        links[address]?.mtu = Int(min(max(state.mtu, 23), 517))
        send(.getServices(DeviceOnly(address: address)))
    }

    mutating func add(_ part: Services) {
        guard let link = links[part.address], link.state == .listing else { return }
        let count = part.services.reduce(0) { sum, service in
            sum + 1 + service.characteristics.reduce(0) { $0 + 1 + $1.descriptors.count }
        }
        guard link.attributes + count <= limits.attributes else { return cancel(part.address, .noServices) }
        links[part.address]?.attributes += count
        links[part.address]?.services += part.services
    }

    mutating func finishList(_ address: Address) {
        guard let link = links[address], link.state == .listing else { return }
        // The end of a list without the list is no list.
        guard !link.services.isEmpty else { return cancel(address, .noServices) }
        links[address]?.state = .open
        links[address]?.deadline = nil
        links[address]?.services = []
        report(.connected(address, mtu: link.mtu, link.services))
    }

    /// Ends a connection or an attempt.
    mutating func endLink(_ address: Address, _ failure: LinkFailure) {
        guard let link = links.removeValue(forKey: address) else { return }
        fail(link.operations, .notConnected)
        switch link.state {
        case .open: report(.disconnected(address, failure))
        case .closing: if !link.isReported { report(.connectFailed(address, link.failure)) }
        case .clearing, .opening, .listing: report(.connectFailed(address, failure))
        }
    }

    mutating func fail(_ operations: [PendingOperation], _ failure: OperationFailure) {
        for operation in operations { complete(operation.number, .failure(failure)) }
    }
}
