import Bluetooth

extension VirtualBelt {
    /// The services and characteristics of a belt, with the names that the client libraries use.
    enum Attribute {
        static let control: UUID = 0xFE51
        static let sensor: UUID = 0xFE52
        static let debug: UUID = 0xFE53
        /// The second UUID that belts advertise.
        static let advertised: UUID = "65333333-A115-11E2-9E9A-0800200CA100"

        static let firmware = CharacteristicID(service: control, uuid: 0xFE01)
        static let keepAlive = CharacteristicID(service: control, uuid: 0xFE02)
        static let vibration = CharacteristicID(service: control, uuid: 0xFE03)
        static let button = CharacteristicID(service: control, uuid: 0xFE04)
        static let request = CharacteristicID(service: control, uuid: 0xFE05)
        static let parameter = CharacteristicID(service: control, uuid: 0xFE06)
        static let buzzer = CharacteristicID(service: control, uuid: 0xFE07)
        static let battery = CharacteristicID(service: control, uuid: 0xFE09)
        static let sensorCommand = CharacteristicID(service: sensor, uuid: 0xFE0A)
        static let sensorData = CharacteristicID(service: sensor, uuid: 0xFE0B)
        static let orientation = CharacteristicID(service: sensor, uuid: 0xFE0C)
        static let debugInput = CharacteristicID(service: debug, uuid: 0xFE13)
        static let debugOutput = CharacteristicID(service: debug, uuid: 0xFE14)

        /// All characteristics with their properties, in the order of the handles.
        static let all: [(id: CharacteristicID, properties: CharacteristicProperties)] = [
            (firmware, .read), (keepAlive, [.notify, .write]), (vibration, .write), (button, .notify),
            (request, .write), (parameter, .notify), (buzzer, .write), (battery, [.read, .notify]),
            (sensorCommand, .write), (sensorData, .notify), (orientation, .notify), (debugInput, .write),
            (debugOutput, .notify),
        ]
    }

    /// The belt's GATT table.
    public var services: [VirtualService] {
        [Attribute.control, Attribute.sensor, Attribute.debug].map { service in
            VirtualService(
                service,
                Attribute.all.filter { $0.id.service == service }.map { id, properties in
                    var properties = properties
                    if choices.offersWriteWithoutResponse, properties.contains(.write) {
                        properties.insert(.writeWithoutResponse)
                    }
                    return VirtualCharacteristic(id, properties, needsEncryption: demandsBond)
                })
        }
    }

    /// The advertisement, which contains two service UUIDs and the current name.
    public var advertisement: VirtualAdvertisement {
        VirtualAdvertisement(name: name, services: [Attribute.advertised, Attribute.control])
    }
}
