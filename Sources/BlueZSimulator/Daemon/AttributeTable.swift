import Bluetooth
import DBus
import VirtualDevices

/// Assigns handles to the attributes of a device, as firmware does, and object paths, as BlueZ does.
///
/// A service occupies one handle, a characteristic two (declaration and value), a configuration descriptor one. The
/// services GAP and GATT come first, as on most devices. The table of a device that defines GAP or GATT itself keeps
/// this service in its own place.
struct AttributeTable: Hashable, Sendable {
    struct Service: Hashable, Sendable {
        var uuid: UUID
        var handle: UInt16
        var path: ObjectPath
        /// Whether a plugin of BlueZ claims the service, so that it is not on the bus.
        var isClaimed: Bool
        var characteristics: Range<Int>
    }

    struct Characteristic: Hashable, Sendable {
        var id: CharacteristicID
        /// The handle of the declaration, which is part of the object path. The value has the next handle.
        var handle: UInt16
        var path: ObjectPath
        var properties: CharacteristicProperties
        var needsEncryption: Bool
        /// The object of the client characteristic configuration descriptor; nil if the characteristic has none.
        var configuration: ObjectPath?
        /// Whether the simulator adds the characteristic and the device does not implement it.
        var isForeign: Bool
    }

    private(set) var services: [Service] = []
    private(set) var characteristics: [Characteristic] = []
    private var nextHandle: UInt16 = 1

    /// The UUIDs of the services that this daemon's plugins claim, in addition to those that every daemon claims.
    private let claimed: Set<UUID>

    /// Assigns handles and object paths to a device's services.
    ///
    /// - Parameter hasUpdater: Whether a firmware update service comes first, which shifts the handles of all other
    ///   services.
    init(
        _ services: [VirtualService], of device: ObjectPath, claimed: Set<UUID> = [], hasUpdater: Bool = false
    ) {
        self.claimed = claimed
        if hasUpdater { add(Self.updater, of: device, isForeign: true) }
        let present = Set(services.map(\.uuid))
        for service in Self.ofEveryDevice where !present.contains(service.uuid) {
            add(service, of: device, isForeign: true)
        }
        for service in services { add(service, of: device, isForeign: false) }
    }

    /// The UUIDs of all services, including claimed services, as listed in `Device1.UUIDs`.
    var uuids: Set<UUID> { Set(services.map(\.uuid)) }

    /// Whether the input plugin claims a service, which means that the device is an input device such as a keyboard.
    var hasInput: Bool { services.contains { $0.isClaimed && $0.uuid == 0x1812 } }

    private mutating func add(_ service: VirtualService, of device: ObjectPath, isForeign: Bool) {
        let handle = take(1)
        let path = device.appending("service" + Hex.string(UInt64(handle), digits: 4))
        let first = characteristics.count
        for characteristic in service.characteristics {
            let handle = take(2)
            let own = path.appending("char" + Hex.string(UInt64(handle), digits: 4))
            let isNotifying = !characteristic.properties.isDisjoint(with: [.notify, .indicate])
            let configuration =
                isNotifying ? own.appending("desc" + Hex.string(UInt64(take(1)), digits: 4)) : nil
            characteristics.append(
                Characteristic(
                    id: characteristic.id, handle: handle, path: own, properties: characteristic.properties,
                    needsEncryption: characteristic.needsEncryption, configuration: configuration,
                    isForeign: isForeign))
        }
        services.append(
            Service(
                uuid: service.uuid, handle: handle, path: path,
                isClaimed: service.isClaimed || service.uuid == 0x1800 || claimed.contains(service.uuid),
                characteristics: first..<characteristics.count))
    }

    private mutating func take(_ count: UInt16) -> UInt16 {
        defer { nextHandle += count }
        return nextHandle
    }

    /// A service for firmware updates, as many devices have it (Nordic Semiconductor, "Secure DFU").
    private static let updater = VirtualService(
        0xFE59,
        [VirtualCharacteristic(CharacteristicID(service: 0xFE59, uuid: 0x0001), [.write, .indicate])])

    /// The services that every device has: Generic Access (claimed by the daemon) and Generic Attribute.
    private static let ofEveryDevice = [
        VirtualService(
            0x1800,
            [
                VirtualCharacteristic(CharacteristicID(service: 0x1800, uuid: 0x2A00), .read),
                VirtualCharacteristic(CharacteristicID(service: 0x1800, uuid: 0x2A01), .read),
                VirtualCharacteristic(CharacteristicID(service: 0x1800, uuid: 0x2AA6), .read),
            ]),
        VirtualService(
            0x1801, [VirtualCharacteristic(CharacteristicID(service: 0x1801, uuid: 0x2A05), .indicate)]),
    ]
}
