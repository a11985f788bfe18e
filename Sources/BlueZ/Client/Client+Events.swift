public import Bluetooth
import DBus
import EventLoop

extension Client {
    /// Calls a handler for every event from now on. The current state is reported first, before this method returns.
    ///
    /// The handler runs on the loop's thread, synchronously and in order. Nothing is queued between bluetoothd's signal
    /// and the handler, so no event is lost or delayed, even with many devices in range. The handler must not block.
    public func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        listeners.append(handler)
        guard isServing else { return handler(.serviceLost(reason: service.awayReason)) }
        handler(.serviceReady)
        if !adapters.absent.isEmpty { handler(.adaptersAbsent(adapters.absent)) }
        for path in adapters.usable.sorted() { handler(.adapterReady(path.name)) }
        for (name, holder) in holders.sorted(by: { $0.key < $1.key }) {
            handler(.adapterHeld(name, by: holder.words))
        }
        for device in knownDevices {
            var advertisement = device.advertisement
            advertisement.isCached = true
            handler(.heard(advertisement, adapter: device.adapter.name))
        }
    }

    /// Reports a device again if the host is connected to it. Otherwise a listener that ignored the device earlier
    /// might never receive an event of the device, because nothing about a connected device may change.
    public func replayIfConnected(_ address: Bluetooth.Address) {
        if let device = best(address) { tellConnected(device.path) }
    }

    /// Reports every device again that is connected to or bonded with the host.
    public func replayKnown() {
        for device in knownDevices where device.isConnected || device.isPaired { tell(heard(device)) }
    }

    /// The devices of usable adapters, each device once, ordered by address.
    private var knownDevices: [Device] { tree.places.keys.sorted().compactMap { best($0) } }

    /// Sets the services and the companies whose advertised data is used. Other data is neither kept nor reported.
    public func use(serviceData services: Set<UUID>, companies: Set<UInt16>) {
        (tree.usedServices, tree.usedCompanies) = (services, companies)
    }

    /// Sets the adapters that support no further links; for a device that several adapters receive, the other adapters
    /// are preferred.
    public func avoid(_ names: Set<String>) { adapters.full = names }

    /// Removes all handlers. Call this method after ``run()`` has returned for the last time.
    public func close() { listeners = [] }

    /// Returns the state of the host's Bluetooth.
    public func describe() -> RadioDescription {
        RadioDescription(
            isRunning: isServing, version: version,
            adapters: tree.adapters.values.sorted { $0.path < $1.path }.map {
                .init(name: $0.name, address: $0.address, isPowered: $0.isPowered)
            })
    }

    /// The charge in percent of a device whose battery service bluetoothd itself reads.
    public func battery(of address: Bluetooth.Address) -> Int? {
        tree.devices(address).compactMap { tree.batteries[$0.path] }.first
    }

    var version: String? { tree.adapters.values.compactMap(\.version).max() }

    func heard(_ device: Device) -> RadioEvent { .heard(device.advertisement, adapter: device.adapter.name) }

    func tell(_ event: RadioEvent) {
        for listener in listeners { listener(event) }
    }
}
