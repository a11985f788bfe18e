public import Bluetooth
import DBus
import EventLoop

extension Client {
    /// Calls a handler for every event from now on; what is known already comes first, before this returns.
    ///
    /// The handler is called on the loop's thread, at once and in order: nothing waits between bluetoothd's word and
    /// it, so that no event is lost or late, however many devices are heard. It must not block.
    public func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void) {
        listeners.append(handler)
        replay(to: handler)
    }

    /// Tells a handler what is known.
    private func replay(to handler: (RadioEvent) -> Void) {
        guard isServing else { return handler(.serviceLost(reason: awayReason)) }
        handler(.serviceReady)
        if !absentAdapters.isEmpty { handler(.adaptersAbsent(absentAdapters)) }
        let adapters = tree.adapters.values.filter { isUsable($0) }.sorted { $0.path < $1.path }
        for adapter in adapters { handler(.adapterReady(adapter.name)) }
        for (name, holder) in holders.sorted(by: { $0.key < $1.key }) {
            handler(.adapterHeld(name, by: holder.words))
        }
        let usable = usableAdapters
        for address in tree.places.keys.sorted() {
            guard let device = Placement.choose(tree.devices(address), usable: usable, full: fullAdapters)
            else { continue }
            handler(.heard(device.advertisement, adapter: device.adapter.name))
        }
    }

    /// Tells once more of a device if the host is connected to it: as long as it is, nothing of it may change, so that
    /// a listener that had no use for the device before would not hear of it.
    public func replayIfConnected(_ address: Bluetooth.Address) {
        guard
            let device = Placement.choose(tree.devices(address), usable: usableAdapters, full: fullAdapters),
            device.isConnected
        else { return }
        tell(.heard(device.advertisement, adapter: device.adapter.name))
    }

    /// Tells once more of every device that the host is connected to or bonded with.
    public func replayKnown() {
        for address in tree.places.keys.sorted() {
            guard
                let device = Placement.choose(
                    tree.devices(address), usable: usableAdapters, full: fullAdapters),
                device.isConnected || device.isPaired
            else { continue }
            tell(.heard(device.advertisement, adapter: device.adapter.name))
        }
    }

    /// Takes note of the adapters that bear no more links: others that hear a device come before them.
    public func avoid(_ adapters: Set<String>) { fullAdapters = adapters }

    /// Tells no handler anything any more; to be called when ``run()`` has ended for good.
    public func close() { listeners = [] }

    /// Describes the host's Bluetooth for people.
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

    func tell(_ event: RadioEvent) {
        for listener in listeners { listener(event) }
    }
}
