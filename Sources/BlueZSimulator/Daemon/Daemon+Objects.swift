import Bluetooth
import DBus

extension Daemon {
    /// Adds the daemon's own object to the bus.
    mutating func exportRoot() {
        outputs.append(
            .added(
                BlueZName.root,
                [BlueZName.agentManager, BlueZName.profileManager].map {
                    Output.Interface(name: $0, properties: [])
                }))
    }

    /// Signals the current values of an adapter's properties.
    mutating func signal(_ names: String..., of adapter: AdapterRecord) {
        let properties = properties(of: adapter)
        outputs.append(
            .changed(
                adapter.path, BlueZName.adapter,
                names.map { name in Output.Property(name, properties.first { $0.name == name }?.value) }))
    }

    /// Signals the current values of a device's properties.
    mutating func signal(_ names: String..., of key: DeviceKey) {
        signal(names, of: key)
    }

    mutating func signal(_ names: [String], of key: DeviceKey) {
        guard let record = devices[key] else { return }
        let properties = properties(of: record, adapter: key.adapter)
        outputs.append(
            .changed(
                record.path, BlueZName.device,
                names.map { name in Output.Property(name, properties.first { $0.name == name }?.value) }))
    }

    /// The properties of `Adapter1`.
    func properties(of adapter: AdapterRecord) -> [Output.Property] {
        [
            .init("Address", .string(adapter.address.description)),
            .init("AddressType", .string("public")),
            .init("Name", .string("BlueZ 5.66")),
            .init("Alias", .string(adapter.alias)),
            .init("Class", .uint32(0)),
            .init("Powered", .bool(adapter.isPowered)),
            .init("Discoverable", .bool(adapter.isDiscoverable)),
            .init("DiscoverableTimeout", .uint32(180)),
            .init("Pairable", .bool(adapter.isPairable)),
            .init("PairableTimeout", .uint32(0)),
            .init("Discovering", .bool(adapter.isDiscovering)),
            .init(
                "UUIDs",
                .strings([0x1801, 0x1800, 0x1200, 0x110C, 0x110E, 0x180A].map { UUID($0).description })),
            .init("Modalias", .string("usb:v1D6Bp0246d0542")),
            .init("Roles", .strings(["central", "peripheral"])),
        ]
    }

    /// The properties of `Device1`. Properties without a value are absent.
    func properties(of record: DeviceRecord, adapter: String) -> [Output.Property] {
        [
            .init("Address", .string(record.address.description)),
            .init("AddressType", .string(record.hasRandomAddress ? "random" : "public")),
            .init("Name", .string(record.name)),
            .init("Alias", .string(record.alias ?? record.name)),
            .init("Appearance", record.appearance.map { .uint16($0) }),
            .init("Icon", record.appearance.flatMap(Self.icon).map { .string($0) }),
            .init("Paired", .bool(record.isBonded)),
            .init("Bonded", .bool(record.isBonded)),
            .init("Trusted", .bool(record.isTrusted)),
            .init("Blocked", .bool(record.isBlocked)),
            .init("LegacyPairing", .bool(false)),
            .init("RSSI", record.rssi.map { .int16($0) }),
            .init("Connected", .bool(record.isConnected)),
            .init("UUIDs", .strings(record.uuids.sorted().map(\.description))),
            .init(
                "ManufacturerData",
                record.manufacturerData.isEmpty ? nil : .manufacturerData(record.manufacturerData)),
            .init("ServiceData", record.serviceData.isEmpty ? nil : .serviceData(record.serviceData)),
            .init("Adapter", .objectPath(BlueZName.path(ofAdapter: adapter))),
            .init("ServicesResolved", .bool(record.areServicesResolved)),
            .init("WakeAllowed", record.table?.hasInput == true ? .bool(true) : nil),
        ]
    }

    /// BlueZ's icon name for an appearance; nil if BlueZ has none.
    static func icon(_ appearance: UInt16) -> String? {
        switch (appearance >> 6, appearance & 0x3F) {
        case (1, _): "phone"
        case (2, _): "computer"
        case (5, _): "video-display"
        case (10, _): "multimedia-player"
        case (15, 1): "input-keyboard"
        case (15, 2): "input-mouse"
        case (15, 3), (15, 4): "input-gaming"
        case (15, 5): "input-tablet"
        case (15, 8): "scanner"
        default: nil
        }
    }
}
