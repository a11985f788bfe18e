package import BlueZ
package import Bluetooth
import DBus
package import EventLoop
import Logging
import Synchronization

/// Connects to a device, reads and subscribes to all characteristics, and disconnects.
///
/// The probe answers no pairing request and writes no values. If another program is connected to the device, the probe
/// uses the same link, which stays open.
package struct Probe: Sendable {
    private let settings: BlueZ.Settings
    private let address: Bluetooth.Address
    private let loop: EventLoop

    /// The maximum time to wait for an advertisement of the device.
    package static let searchTime = Duration.seconds(20)

    package init(settings: BlueZ.Settings, address: Bluetooth.Address, loop: EventLoop) {
        var settings = settings
        settings.answersPairing = false
        self.settings = settings
        self.address = address
        self.loop = loop
    }

    /// What the probe reports while it runs.
    package enum News: Sendable {
        /// The device is connected, and all readable characteristics were read.
        case device(ProbedDevice)
        /// A notification, with its time since the first subscription.
        case notification(CharacteristicID, [UInt8], after: Duration)
        /// The link was lost, for this reason.
        case lost(String)
        /// New advertised data, with its time since the start.
        case advertisement(Advertisement, after: Duration)
    }

    /// Receives advertisements of the device without a connection.
    ///
    /// - Parameters:
    ///   - time: How long to receive them.
    ///   - show: Receives each advertisement with new data.
    /// - Throws: `BlueZError` if the Bluetooth service cannot be used.
    package func listen(for time: Duration, show: @escaping @Sendable (News) -> Void) async throws {
        let client = BlueZ.Client(
            settings: settings, loop: loop,
            logger: Logger(label: "probe", factory: { _ in SwiftLogNoOpLogHandler() }))
        let start = EventLoop.now
        let last = Last()
        await client.onEvent { [address] event in
            guard case .heard(let advertisement, _) = event, advertisement.address == address,
                advertisement.rssi != nil, last.replace(with: advertisement)
            else { return }
            show(.advertisement(advertisement, after: EventLoop.now - start))
        }
        let running = Task { try await client.run() }
        defer { running.cancel() }
        let search = await client.startDiscovery()
        try await loop.sleep(until: start + time)
        await search.end()
        await client.close()
    }

    /// Stores the advertised data that was shown last, so that repeated data is not shown again.
    private final class Last: Sendable {
        private let data = Mutex<([UUID: [UInt8]], [UInt16: [UInt8]])?>(nil)

        /// Stores new data; returns false if the data is the same as before.
        func replace(with advertisement: Advertisement) -> Bool {
            data.withLock { data in
                let new = (advertisement.serviceData, advertisement.manufacturerData)
                guard data.map({ $0 != new }) ?? true else { return false }
                data = new
                return true
            }
        }
    }

    /// Runs the probe.
    ///
    /// - Parameters:
    ///   - time: The duration for which notifications are received.
    ///   - show: Receives the results.
    /// - Throws: `BlueZError` if the device cannot be connected.
    package func run(for time: Duration, show: @escaping @Sendable (News) -> Void) async throws {
        let client = BlueZ.Client(
            settings: settings, loop: loop,
            logger: Logger(label: "probe", factory: { _ in SwiftLogNoOpLogHandler() }))
        let (heard, hearing) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await client.onEvent { [address] event in
            guard case .heard(let advertisement, _) = event, advertisement.address == address else { return }
            // BlueZ also reports devices that it knows only from earlier. Such a report is ignored, unless the device
            // is connected or bonded.
            if advertisement.rssi != nil || advertisement.isConnected || advertisement.isPaired {
                hearing.yield()
            }
        }
        let running = Task { try await client.run() }
        defer { running.cancel() }
        do {
            let search = await client.startDiscovery()
            let limit = Task { [loop] in
                try await loop.sleep(until: EventLoop.now + Self.searchTime)
                hearing.finish()
            }
            for await _ in heard { break }
            limit.cancel()
            await search.end()
            try await probe(client, for: time, show)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private func probe(
        _ client: BlueZ.Client, for time: Duration, _ show: @escaping @Sendable (News) -> Void
    ) async throws {
        let advertisement = await client.devices().first { $0.advertisement.address == address }?
            .advertisement
        let isInput = advertisement.map { !$0.services.isDisjoint(with: UUID.inputServices) } ?? false
        let wasConnected = advertisement?.isConnected ?? false
        let (events, input) = AsyncStream.makeStream(
            of: LinkEvent.self, bufferingPolicy: .bufferingNewest(10_000))
        let link = try await client.connect(
            address, requirements: LinkRequirements(required: [], isInputDevice: isInput || wasConnected)
        ) { input.yield($0) }
        var entries: [ProbedDevice.Entry] = []
        for (id, properties) in link.profile.characteristics {
            var entry = ProbedDevice.Entry(id, properties)
            if properties.contains(.read) {
                do throws(BlueZError) { entry.value = try await link.read(id) } catch {
                    entry.complaint = "cannot be read: \(error.reason)"
                }
            }
            entries.append(entry)
        }
        for index in entries.indices where entries[index].notifies {
            do throws(BlueZError) { try await link.subscribe(entries[index].id) } catch {
                entries[index].complaint = "cannot be subscribed to: \(error.reason)"
            }
        }
        // At this point BlueZ lists all services of the device, including services that it does not export on the bus.
        let known = await client.devices().first { $0.advertisement.address == address }?.advertisement
        show(
            .device(
                ProbedDevice(
                    address: address, name: link.profile.name ?? advertisement?.name, mtu: link.profile.mtu,
                    isPaired: link.profile.isPaired, entries: entries,
                    advertisement: known ?? advertisement)))
        let start = EventLoop.now
        let limit = Task { [loop] in
            try await loop.sleep(until: start + time)
            input.finish()
        }
        for await event in events {
            switch event {
            case .notification(let id, let value):
                show(.notification(id, value, after: EventLoop.now - start))
            case .lost(let reason):
                show(.lost(reason))
                input.finish()
            case .rssi, .services: break
            }
        }
        limit.cancel()
        if wasConnected { await link.leave() } else { await link.disconnect() }
    }
}
