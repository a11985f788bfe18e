public import Bluetooth
import DBus
import EventLoop

extension Client {
    /// Calls a handler for every event from now on; what is known already comes first, before this returns.
    ///
    /// The handler is called on the loop's thread, at once and in order: nothing waits between bluetoothd's signal and
    /// it, so that no event is lost or late, however many devices are in range. It must not block.
    public func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        listeners.append(handler)
        guard isServing else { return handler(.serviceLost(reason: service.awayReason)) }
        handler(.serviceReady)
        if !adapters.absent.isEmpty { handler(.adaptersAbsent(adapters.absent)) }
        for path in adapters.usable.sorted() { handler(.adapterReady(path.name)) }
        for (name, holder) in holders.sorted(by: { $0.key < $1.key }) {
            handler(.adapterHeld(name, by: holder.words))
        }
        for device in knownDevices { handler(heard(device)) }
    }

    /// Tells once more of a device if the host is connected to it: as long as it is, nothing of it may change, so that
    /// a listener that had no use for the device before would not learn of it.
    public func replayIfConnected(_ address: Bluetooth.Address) {
        if let device = best(address) { tellConnected(device.path) }
    }

    /// Tells once more of every device that the host is connected to or bonded with.
    public func replayKnown() {
        for device in knownDevices where device.isConnected || device.isPaired { tell(heard(device)) }
    }

    /// The devices of adapters that can be used, each once, by address.
    private var knownDevices: [Device] { tree.places.keys.sorted().compactMap { best($0) } }

    /// Takes note of the adapters that support no further links: others that receive a device come before them.
    public func avoid(_ names: Set<String>) { adapters.full = names }

    /// Calls no handler any more; to be called when ``run()`` has ended for good.
    public func close() { listeners = [] }

    /// Describes the host's Bluetooth.
    public func describe() -> RadioDescription {
        RadioDescription(
            isRunning: isServing, version: version,
            adapters: tree.adapters.values.sorted { $0.path < $1.path }.map {
                .init(name: $0.name, address: $0.address, isPowered: $0.isPowered)
            })
    }

    /// The charge in percent of a device whose battery service bluetoothd reads by itself.
    public func battery(of address: Bluetooth.Address) -> Int? {
        tree.devices(address).compactMap { tree.batteries[$0.path] }.first
    }

    var version: String? { tree.adapters.values.compactMap(\.version).max() }

    func heard(_ device: Device) -> RadioEvent { .heard(device.advertisement, adapter: device.adapter.name) }

    func tell(_ event: RadioEvent) {
        for listener in listeners { listener(event) }
    }
}
