public import Bluetooth
import DBus
import EventLoop

extension Daemon {
    /// Tells what happens from now on; what is known already comes first.
    ///
    /// The stream holds the newest 4096 events: whoever takes them slower than that loses the oldest. It ends
    /// with ``close()``.
    public func events() -> AsyncStream<Event> {
        let number = makeNumber()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(4096))
        listeners[number] = continuation
        continuation.onTermination = { [weak self, loop] _ in
            loop.execute { [weak self] in self?.assumeIsolated { $0.listeners[number] = nil } }
        }
        guard isServing else {
            continuation.yield(.serviceLost(reason: awayReason))
            return stream
        }
        continuation.yield(.serviceReady)
        let adapters = tree.adapters.values.filter { isUsable($0) }.sorted { $0.path < $1.path }
        for adapter in adapters { continuation.yield(.adapterReady(adapter)) }
        for (name, holder) in holders.sorted(by: { $0.key < $1.key }) {
            continuation.yield(.adapterHeld(name: name, by: holder))
        }
        let usable = usableAdapters
        for address in Set(tree.devices.values.map(\.address)).sorted() {
            guard let device = Placement.choose(tree.devices(address), usable: usable) else { continue }
            continuation.yield(.heard(device.advertisement, adapter: device.adapter.name))
        }
        return stream
    }

    /// Tells once more of a device that the host is connected to, for one who did not care for it before: as long as
    /// it is connected nothing of it may change.
    public func mention(_ address: Bluetooth.Address) {
        guard let device = Placement.choose(tree.devices(address), usable: usableAdapters),
            device.isConnected
        else { return }
        tell(.heard(device.advertisement, adapter: device.adapter.name))
    }

    /// Ends all streams of events; to be called when ``run()`` has ended for good.
    public func close() {
        let all = listeners.values
        listeners = [:]
        for listener in all { listener.finish() }
    }

    /// What the host's Bluetooth is, for people.
    public func describe() -> Description {
        Description(
            isRunning: isServing, version: version,
            adapters: tree.adapters.values.sorted { $0.path < $1.path })
    }

    /// The charge in percent of a device whose battery service bluetoothd reads by itself.
    public func battery(of address: Bluetooth.Address) -> Int? {
        tree.devices(address).compactMap { tree.batteries[$0.path] }.first
    }

    var version: String? { tree.adapters.values.compactMap(\.version).max() }

    func tell(_ event: Event) {
        for listener in listeners.values { listener.yield(event) }
    }
}
