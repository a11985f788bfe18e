public import Bluetooth
import DBus
import EventLoop

extension Client {
    /// Calls a handler for every event from now on; what is known already comes first, before this returns.
    ///
    /// The handler is called on the loop's thread, at once and in order: nothing waits between bluetoothd's word and
    /// it, so that no event is lost or late, however many devices are heard. It must not block.
    ///
    /// - Returns: What takes the handler back; without it, the handler stays until ``close()``.
    @discardableResult
    public func onEvent(_ handler: @escaping @Sendable (Event) -> Void) -> EventSubscription {
        listen(handler)
    }

    private func listen(
        _ handler: @escaping @Sendable (Event) -> Void, end: @escaping @Sendable () -> Void = {}
    ) -> EventSubscription {
        let number = makeNumber()
        listeners.append(Listener(number: number, handler: handler, end: end))
        replay(to: handler)
        return EventSubscription(number: number, client: self)
    }

    func endListening(_ number: UInt64) {
        listeners.removeAll { $0.number == number }
    }

    /// Tells a handler what is known.
    private func replay(to handler: (Event) -> Void) {
        guard isServing else { return handler(.serviceLost(reason: awayReason)) }
        handler(.serviceReady)
        let adapters = tree.adapters.values.filter { isUsable($0) }.sorted { $0.path < $1.path }
        for adapter in adapters { handler(.adapterReady(adapter)) }
        for (name, holder) in holders.sorted(by: { $0.key < $1.key }) {
            handler(.adapterHeld(name: name, by: holder))
        }
        let usable = usableAdapters
        for address in tree.places.keys.sorted() {
            guard let device = Placement.choose(tree.devices(address), usable: usable) else { continue }
            handler(.heard(device.advertisement, adapter: device.adapter.name))
        }
    }

    /// Tells what happens from now on; what is known already comes first.
    ///
    /// The stream holds the newest 4096 events: a reader that is slower than that loses the oldest. It ends
    /// with ``close()``.
    public func events() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(4096))
        let subscription = listen({ continuation.yield($0) }, end: { continuation.finish() })
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// Tells once more of a device if the host is connected to it: as long as it is, nothing of it may change, so that
    /// a listener that had no use for the device before would not hear of it.
    public func replayIfConnected(_ address: Bluetooth.Address) {
        guard let device = Placement.choose(tree.devices(address), usable: usableAdapters),
            device.isConnected
        else { return }
        tell(.heard(device.advertisement, adapter: device.adapter.name))
    }

    /// Tells no handler anything any more; to be called when ``run()`` has ended for good.
    public func close() {
        let all = listeners
        listeners = []
        for listener in all { listener.end() }
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
        for listener in listeners { listener.handler(event) }
    }
}
