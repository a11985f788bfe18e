import Bluetooth
import ESPHome
import VirtualDevices

/// The handles of a device: a service has one, a characteristic two (declaration and value), a descriptor one.
struct AttributeTable: Sendable {
    struct Characteristic: Sendable {
        var value: VirtualCharacteristic
        var handle: UInt16
        /// The handle of the client characteristic configuration; nil for none.
        var configuration: UInt16?
    }

    private(set) var characteristics: [Characteristic] = []
    private var services: [(uuid: UUID, handle: UInt16, characteristics: Range<Int>)] = []

    init(_ services: [VirtualService]) {
        var next: UInt16 = 1
        func take(_ count: UInt16) -> UInt16 {
            defer { next += count }
            return next
        }
        for service in services {
            let (handle, first) = (take(1), characteristics.count)
            for characteristic in service.characteristics {
                let isNotifying = !characteristic.properties.isDisjoint(with: [.notify, .indicate])
                characteristics.append(
                    Characteristic(
                        value: characteristic, handle: take(2) + 1,
                        configuration: isNotifying ? take(1) : nil))
            }
            self.services.append((service.uuid, handle, first..<characteristics.count))
        }
    }

    func characteristic(_ handle: UInt16) -> Characteristic? { characteristics.first { $0.handle == handle } }

    func configuration(_ handle: UInt16) -> Characteristic? {
        characteristics.first { $0.configuration == handle }
    }

    /// The services for the wire.
    ///
    /// - Parameter mayBeShort: Whether the client knows short UUIDs.
    func entries(mayBeShort: Bool) -> [ServiceEntry] {
        services.map { service in
            var entry = ServiceEntry()
            entry.handle = service.handle
            entry.setUUID(service.uuid, mayBeShort: mayBeShort)
            entry.characteristics = characteristics[service.characteristics].map {
                Self.entry($0, mayBeShort: mayBeShort)
            }
            return entry
        }
    }

    private static func entry(_ characteristic: Characteristic, mayBeShort: Bool) -> CharacteristicEntry {
        var entry = CharacteristicEntry()
        entry.handle = characteristic.handle
        entry.properties = UInt32(characteristic.value.properties.rawValue)
        entry.setUUID(characteristic.value.id.uuid, mayBeShort: mayBeShort)
        if let handle = characteristic.configuration {
            var descriptor = DescriptorEntry()
            descriptor.handle = handle
            descriptor.setUUID(0x2902, mayBeShort: mayBeShort)
            entry.descriptors = [descriptor]
        }
        return entry
    }
}
