import Bluetooth
import DBus
import VirtualDevices

extension Daemon {
    /// How long after the start of discovery or of advertising the first advertisement is received.
    private static let hearing: Duration = .milliseconds(45)
    /// What is added to the signal strength in successive reports, in dB, so that it fluctuates.
    private static let waver: [Int16] = [0, -1, 1, -2, 2]
    /// The smallest change of signal strength, in dB, for which a signal is emitted if the clients have set no filter.
    private static let worthwhile: Int16 = 8

    /// Carries out a discovery call. The answer precedes the resulting signals.
    mutating func discover(_ call: Call, on index: Int) {
        guard adapters[index].isPowered else { return fail(call, BlueZError.notReady) }
        var session = adapters[index].sessions[call.sender] ?? DiscoverySession()
        switch call.member {
        case "SetDiscoveryFilter":
            let options = call.options(0)
            guard let filter = DiscoveryFilter(options) else {
                return fail(call, BlueZError.invalidArguments)
            }
            session.filter = options.isEmpty ? nil : filter
            adapters[index].sessions[call.sender] = session
            outputs.append(.reply(call.number, []))
        case "StartDiscovery":
            guard !session.isActive else { return fail(call, BlueZError.discoveryInProgress) }
            let wasDiscovering = adapters[index].isDiscovering
            session.isActive = true
            adapters[index].sessions[call.sender] = session
            if session.filter != adapters[index].lastFilter { adapters[index].isDeaf = false }
            adapters[index].lastFilter = session.filter
            outputs.append(.reply(call.number, []))
            if !wasDiscovering { signal("Discovering", of: adapters[index]) }
            for name in air.heard(at: host) { expect(DeviceKey(adapter: adapters[index].name, name: name)) }
        default:
            guard session.isActive else { return fail(call, BlueZError.failed("No discovery started")) }
            outputs.append(.reply(call.number, []))
            endDiscovery(of: call.sender, on: index)
        }
    }

    /// Ends a client's discovery. When no client discovers, the signal strengths of the adapter's devices are removed.
    mutating func endDiscovery(of client: String, on index: Int) {
        guard let session = adapters[index].sessions.removeValue(forKey: client), session.isActive,
            !adapters[index].isDiscovering
        else { return }
        stopHearing(on: adapters[index].name)
        signal("Discovering", of: adapters[index])
    }

    /// Removes the signal strengths of an adapter's devices.
    mutating func stopHearing(on adapter: String) {
        waits.cancelAll { if case .sighting(let key) = $0 { key.adapter == adapter } else { false } }
        for key in devices.keys where key.adapter == adapter && devices[key]?.rssi != nil {
            devices[key]?.rssi = nil
            signal("RSSI", of: key)
        }
    }

    /// Handles a device that starts to advertise: discovering adapters receive it, and connections that wait for it
    /// start.
    mutating func beginToHear(_ name: String) {
        for adapter in adapters where adapter.isPresent && adapter.isPowered {
            let key = DeviceKey(adapter: adapter.name, name: name)
            if adapter.isDiscovering { expect(key) }
            connectByItself(key)
            if devices[key]?.link == .connecting {
                waits.set(.established(key), at: now + options.connectTime)
            }
        }
    }

    /// Handles one advertisement and schedules the next one.
    mutating func sight(_ key: DeviceKey) {
        guard let index = adapterIndex(key.adapter), adapters[index].isDiscovering,
            !adapters[index].isDeaf, hears(key),
            let heard = air.peripheral(key.name, at: host)
        else { return }
        waits.set(.sighting(key), at: now + options.reportInterval)
        let number = makeNumber()
        let rssi = Int16(clamping: heard.rssi) + Self.waver[number % Self.waver.count]
        let isAdmitted = adapters[index].sessions.values.contains { session in
            guard session.isActive else { return false }
            return session.filter?.admits(
                name: heard.advertisement.name, address: heard.address,
                services: heard.advertisement.services, rssi: rssi) ?? true
        }
        guard isAdmitted else { return }
        if devices[key] == nil {
            discovered(key, heard, rssi: rssi)
        } else {
            refresh(key, heard, rssi: rssi, isFiltered: adapters[index].isFiltered)
        }
        if devices[key]?.isTemporary == true {
            waits.set(.temporary(key), at: now + options.temporaryTimeout)
        }
    }

    private mutating func expect(_ key: DeviceKey) {
        waits.set(.sighting(key), at: now + Self.hearing)
    }

    private mutating func discovered(_ key: DeviceKey, _ heard: Peripheral, rssi: Int16) {
        var record = makeRecord(key, heard)
        record.rssi = rssi
        add(record, key)
    }

    private mutating func refresh(_ key: DeviceKey, _ heard: Peripheral, rssi: Int16, isFiltered: Bool) {
        guard let record = devices[key] else { return }
        if isFiltered || record.rssi.map({ abs($0 - rssi) >= Self.worthwhile }) ?? true {
            devices[key]?.rssi = rssi
            signal("RSSI", of: key)
        }
        if record.name != heard.advertisement.name {
            devices[key]?.name = heard.advertisement.name
            signal("Name", "Alias", of: key)
        }
        let uuids = record.uuids.union(heard.advertisement.services)
        if uuids != record.uuids {
            devices[key]?.uuids = uuids
            signal("UUIDs", of: key)
        }
        if record.appearance != heard.advertisement.appearance {
            devices[key]?.appearance = heard.advertisement.appearance
            signal("Appearance", "Icon", of: key)
        }
        if record.manufacturerData != heard.advertisement.manufacturerData {
            devices[key]?.manufacturerData = heard.advertisement.manufacturerData
            signal("ManufacturerData", of: key)
        }
        // BlueZ never removes data of a service while the object exists.
        let services = record.serviceData.merging(heard.advertisement.serviceData) { $1 }
        if record.serviceData != services {
            devices[key]?.serviceData = services
            signal("ServiceData", of: key)
        }
    }
}
