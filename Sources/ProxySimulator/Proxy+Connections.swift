import Bluetooth
import ESPHome
import VirtualDevices

extension Proxy {
    mutating func handle(_ request: DeviceRequest) {
        let address = request.address
        switch DeviceRequest.Kind(rawValue: request.request) {
        case .connectWithCache where request.hasAddressType: connect(address, .connectWithCache)
        case .connectWithoutCache where request.hasAddressType: connect(address, .connectWithoutCache)
        case .connectByOldClient, .connectWithCache, .connectWithoutCache:
            publish(.connection(Connection(address: address)))
        case .disconnect: disconnect(address)
        case .pair: pair(address)
        case .unpair:
            let name = air.world.peripherals.first { $0.address == address }?.name
            let isSuccessful = name.map { bonds.remove($0) != nil } ?? false
            publish(.unpairing(Outcome(address: address, isSuccessful: isSuccessful)))
        case .clearCache: publish(.cacheCleared(Outcome(address: address, isSuccessful: true)))
        case nil: break
        }
    }

    // MARK: Opening

    private mutating func connect(_ address: Address, _ kind: DeviceRequest.Kind) {
        if let link = links[address] {
            // A request for a connection that is being opened gets no answer.
            guard link.state == .open else { return }
            let mtu = options.firmware == .v2026_6 ? 0 : UInt32(link.mtu)
            publish(.connection(Connection(address: address, isConnected: true, mtu: mtu)))
            return publish(.slots(slots))
        }
        guard links.count < options.slots else { return publish(.connection(Connection(address: address))) }
        let device = air.world.peripherals.first { $0.address == address }
        links[address] = Link(device: device?.name, kind: kind)
        publish(.slots(slots))
        queue.append(address)
        if queue.count == 1 {
            pauseScanning()
            openNext()
        }
    }

    /// Opens the first connection of the queue: a proxy opens one at a time.
    private mutating func openNext() {
        guard let address = queue.first else { return resumeScanning() }
        links[address]?.state = .opening
        waits.set(.opened(address), at: now + options.connectTime)
        waits.set(.openTimeout(address), at: now + options.connectTimeout)
    }

    mutating func opened(_ address: Address) {
        guard let link = links[address], link.state == .opening else { return }
        guard let device = link.device, air.accepts(device, from: 0),
            let peripheral = air.peripheral(device, at: 0)
        else {
            // It may come into range until the timeout.
            return waits.set(.opened(address), at: now + options.batchTime)
        }
        waits.cancel(.openTimeout(address))
        links[address]?.state = .open
        links[address]?.mtu = peripheral.mtu
        links[address]?.table = AttributeTable(peripheral.services)
        stimulate(.connected(mtu: peripheral.mtu), device)
        if bonds.contains(device) { encrypt(address, device) }
        // A connection with a cache is reported before the MTU is known.
        let mtu = link.kind == .connectWithCache ? 23 : peripheral.mtu
        publish(.connection(Connection(address: address, isConnected: true, mtu: UInt32(mtu))))
        publish(.slots(slots))
        queue.removeAll { $0 == address }
        openNext()
    }

    private mutating func encrypt(_ address: Address, _ device: String) {
        links[address]?.isEncrypted = true
        stimulate(.bonded, device)
    }

    // MARK: Closing

    private mutating func disconnect(_ address: Address) {
        switch links[address]?.state {
        case .open: endLink(address, error: ConnectionError.endedByHost)
        case .opening, .waits: endLink(address, error: ConnectionError.canceled)
        case nil:
            publish(.connection(Connection(address: address)))
            publish(.slots(slots))
        }
    }

    /// Ends a connection or the attempt, and frees its slot.
    ///
    /// - Parameter isLost: Whether neither side requested the end.
    mutating func endLink(_ address: Address, error: Int32, isLost: Bool = false) {
        guard let link = links.removeValue(forKey: address) else { return }
        for wait in [Wait.opened(address), .openTimeout(address), .supervision(address), .pairing(address)] {
            waits.cancel(wait)
        }
        requests = requests.filter { $0.value.address != address }
        if link.state == .open, let device = link.device { stimulate(.disconnected, device) }
        let message = Message.connection(Connection(address: address, error: error))
        publish(message)
        if isLost, options.firmware == .v2026_6 { publish(message) }
        publish(.slots(slots))
        let wasFirst = queue.first == address
        queue.removeAll { $0 == address }
        if wasFirst { openNext() }
    }

    // MARK: Pairing

    private mutating func pair(_ address: Address) {
        guard let link = links[address], link.state == .open else {
            return publish(.pairing(Pairing(address: address, error: -1)))
        }
        guard !link.isEncrypted else { return publish(.pairing(Pairing(address: address, isPaired: true))) }
        waits.set(.pairing(address), at: now + options.pairingTime)
    }

    mutating func paired(_ address: Address) {
        guard let device = links[address]?.device else { return }
        guard air.world.acceptsPairing(device) else {
            // Bluedroid's code for a refused pairing.
            return publish(.pairing(Pairing(address: address, error: 0x61)))
        }
        bonds.insert(device)
        encrypt(address, device)
        publish(.pairing(Pairing(address: address, isPaired: true)))
    }

    /// Passes an event of the radio to a device. A device that does not answer receives operations later.
    mutating func stimulate(_ stimulus: Stimulus, _ device: String, request: Int = 0) {
        switch stimulus {
        case .read, .write, .subscribed:
            guard let address = open(device) else { return }
            if waits.isSet(.supervision(address)) {
                links[address]?.held.append((stimulus, request))
                return
            }
            // A virtual device accepts every subscription, and does not answer it.
            if case .subscribed = stimulus { finish(request, .written) }
        case .poweredOn, .connected, .bonded, .disconnected, .timer, .act: break
        }
        for output in air.handle(stimulus, of: device, from: 0, request: request, at: now) { take(output) }
    }
}
