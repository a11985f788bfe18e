package import Bluetooth
package import BridgeContract
package import ESPHome
package import EventLoop
package import Logging
package import ProxyClient

/// The radio that is one ESPHome Bluetooth proxy: its session, its advertisements and the links over it.
///
/// The actor carries out the actions of a ``ProxyConnector``, which makes all decisions about the protocol. It runs on
/// the thread of the event loop, like the bridge, so that events reach the bridge without a change of thread.
package actor ProxyRadio: ProxyReceiver {
    /// The settings of a proxy.
    package struct Settings: Sendable {
        /// The name for users, which is also part of the name of the adapter.
        package var name: String
        /// A host name or an IP address.
        package var host: String
        package var port: UInt16
        /// The expected address of the node; nil for any node.
        package var mac: Address?
        /// The key; nil for a proxy without encryption.
        package var key: EncryptionKey?
        /// Whether other bridges may use the proxy too, so that this radio waits for ``Radio/share(_:heldBy:)``.
        package var isShared = false
        package var limits = ProxySession.Limits()

        package init(
            name: String, host: String, port: UInt16 = 6053, mac: Address? = nil, key: EncryptionKey? = nil
        ) {
            (self.name, self.host, self.port, self.mac, self.key) = (name, host, port, mac, key)
        }

        var place: String { "\(host):\(port)" }
    }

    /// The name of its adapter, such as `proxy/kitchen`.
    package nonisolated let adapter: String
    package nonisolated let loop: EventLoop
    /// Runs the actor on the loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let settings: Settings
    let logger: Logger
    let waiters: Waiters
    private var listeners: [@Sendable (RadioEvent) -> Void] = []
    private var usedData: (services: Set<UUID>, companies: Set<UInt16>)?

    var connector: ProxyConnector
    /// The actions of the connector that are not carried out yet. An action may cause further ones.
    var outputs: [ProxyConnector.Output] = []
    var isCarryingOut = false
    var timer: (deadline: Duration, timer: LoopTimer)?
    var socket: ProxySocket?
    /// The error of the last TCP connection; nil during a session.
    var socketError: String?

    var status = ProxyStatus()
    /// The state that the listeners know.
    var reported = ProxyStatus.State.away
    /// The reason that the listeners know.
    var reportedProblem: String?
    /// The reason that was logged last; nil while the proxy is ready.
    var loggedProblem: String?
    private var advertisements = AdvertisementTable()
    private var packetCount = 0
    private(set) var gate = AdvertisementGate()

    /// The links and the attempts to connect.
    var links: [Address: ProxyLinkState] = [:]
    /// The attempts that wait for their turn, in order. The first one has its turn: a proxy opens one connection at a
    /// time.
    var turns: [ProxyLinkState] = []
    /// The requests in progress, by their number.
    var requests: [Int: (state: ProxyLinkState, request: LinkRequest)] = [:]
    private var lastNumber = 0
    /// The devices with which the proxy has made a bond, or confirmed one, since the start of this process.
    var bonds: Set<Address> = []
    /// The devices whose bond the proxy has removed.
    var unpaired: Set<Address> = []

    /// Creates a radio, which is idle until ``run()``.
    package init(_ settings: Settings, loop: EventLoop, logger: Logger) {
        adapter = AdapterName.proxyPrefix + settings.name
        (self.settings, self.loop) = (settings, loop)
        var logger = logger
        logger[metadataKey: "adapter"] = "\(adapter)"
        self.logger = logger
        waiters = Waiters(on: loop)
        connector = ProxyConnector(
            key: settings.key, mac: settings.mac, needsPermission: settings.isShared, limits: settings.limits)
    }

    func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func report(_ event: RadioEvent) {
        for listener in listeners { listener(event) }
    }

    // MARK: Devices in range

    func addressType(of address: Address) -> UInt32? { advertisements.addressType(of: address) }

    func received(_ packets: [RawAdvertisement]) {
        packetCount += packets.count
        for packet in packets {
            let removed = gate.tidy(at: EventLoop.now) { links[$0] != nil || bonds.contains($0) }
            for address in removed { report(.forgotten(address)) }
            let advertisement = describe(advertisements.add(packet))
            if gate.admits(advertisement, at: EventLoop.now) {
                report(.heard(advertisement, adapter: adapter))
            }
        }
    }

    func missed(_ address: Address) { gate.missed(address) }

    func reportAgain() { gate.reportAgain() }

    func reportAgain(_ address: Address) { gate.reportAgain(address) }

    /// Adds what this radio knows about a device, and removes data that nobody uses.
    private func describe(_ advertisement: Advertisement) -> Advertisement {
        var advertisement = advertisement
        if let usedData {
            advertisement.serviceData = advertisement.serviceData.filter {
                usedData.services.contains($0.key)
            }
            advertisement.manufacturerData = advertisement.manufacturerData.filter {
                usedData.companies.contains($0.key)
            }
        }
        advertisement.isPaired = bonds.contains(advertisement.address)
        advertisement.isConnected = links[advertisement.address]?.phase == .open
        return advertisement
    }

    private func replay(where condition: (Advertisement) -> Bool) {
        for advertisement in gate.known.map(describe) where condition(advertisement) {
            report(.heard(advertisement, adapter: adapter))
        }
    }

    // MARK: Port

    /// Reports events of the proxy from this call on; see ``Radio/onEvent(_:)``.
    package nonisolated func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        assumeIsolated { radio in
            radio.listeners.append(handler)
            switch radio.reported {
            case .ready: handler(.adapterReady(radio.adapter))
            case .held: handler(.adapterHeld(radio.adapter, by: radio.holder))
            case .away: break
            }
            for known in radio.gate.known.map(radio.describe) {
                var advertisement = known
                advertisement.isCached = true
                handler(.heard(advertisement, adapter: radio.adapter))
            }
        }
    }

    /// Does nothing: a proxy always scans.
    package func startDiscovery() async -> any DiscoveryToken { ConstantDiscovery() }

    package nonisolated func use(serviceData services: Set<UUID>, companies: Set<UInt16>) {
        assumeIsolated { $0.usedData = (services, companies) }
    }

    package nonisolated func share(_ adapter: String, heldBy bridge: String?) {
        guard adapter == self.adapter else { return }
        assumeIsolated { radio in
            guard let bridge else { return radio.run { $0.subscribe(at: $1) } }
            radio.connector.leave()
            radio.status.leave(to: bridge)
            radio.statusChanged()
        }
    }

    /// Does nothing: the proxy is one adapter.
    package nonisolated func avoid(_ adapters: Set<String>) {}

    package func replayIfConnected(_ address: Address) async {
        replay { $0.address == address && $0.isConnected }
    }

    package func replayKnown() async { replay { $0.isConnected || $0.isPaired } }

    package func describe() async -> RadioDescription {
        let slots = status.slots.map {
            RadioDescription.Adapter.Slots(free: Int($0.free), limit: Int($0.limit))
        }
        return RadioDescription(
            isRunning: status.info != nil, version: status.info?.version,
            adapters: [
                .init(
                    name: adapter, address: status.address ?? settings.mac, isPowered: status.state == .ready,
                    slots: slots, problem: problem, sharing: settings.isShared ? status.sharing : nil)
            ])
    }

    package nonisolated var advertisementCount: Int { assumeIsolated { $0.packetCount } }

    package nonisolated var freeSlots: Int? { assumeIsolated { $0.status.freeSlots } }

    package nonisolated func isConnected(_ address: Address) -> Bool {
        assumeIsolated { $0.links[address] != nil }
    }

    package nonisolated func hasBond(_ address: Address) -> Bool {
        assumeIsolated { $0.bonds.contains(address) }
    }

    /// Removes all handlers and closes the TCP connection. Call this method after ``run()`` has returned.
    package func close() {
        listeners = []
        timer?.timer.cancel()
        socket?.close()
    }
}

/// A request for discovery by a radio that always scans.
private struct ConstantDiscovery: DiscoveryToken {
    func end() async {}
}
