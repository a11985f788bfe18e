import Bluetooth

extension VirtualRobot {
    enum Attribute {
        static let service: UUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
        static let movement = id("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
        static let rotation = id("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
        static let buttons = id("6E400004-B5A3-F393-E0A9-E50E24DCCA9E")
        static let all = [movement, rotation, buttons]

        private static func id(_ uuid: UUID) -> CharacteristicID {
            CharacteristicID(service: service, uuid: uuid)
        }
    }

    /// The robot's GATT table.
    public var services: [VirtualService] {
        [
            VirtualService(
                Attribute.service,
                Attribute.all.map { VirtualCharacteristic($0, [.writeWithoutResponse, .read, .notify]) })
        ]
    }

    /// The advertisement, which contains the name and no service.
    public var advertisement: VirtualAdvertisement {
        VirtualAdvertisement(name: Self.namePrefix + choices.nameSuffix, services: [])
    }

    private static let namePrefix = "ESP32_BLE"
}
