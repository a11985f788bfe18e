import Bluetooth

extension VirtualTap {
    enum Attribute {
        static let tap: UUID = "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370"
        static let uart: UUID = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
        static let information: UUID = 0x180A
        static let power: UUID = 0x180F
        static let input: UUID = 0x1812

        static let settings = ofTap("c3ff0002-1d8b-40fd-a56f-c7bd5d0f3370")
        static let name = ofTap("c3ff0003-1d8b-40fd-a56f-c7bd5d0f3370")
        static let tapData = ofTap("c3ff0005-1d8b-40fd-a56f-c7bd5d0f3370")
        static let mouse = ofTap("c3ff0006-1d8b-40fd-a56f-c7bd5d0f3370")
        static let mappingInput = ofTap("c3ff0007-1d8b-40fd-a56f-c7bd5d0f3370")
        static let mappingOutput = ofTap("c3ff0008-1d8b-40fd-a56f-c7bd5d0f3370")
        static let userInterface = ofTap("c3ff0009-1d8b-40fd-a56f-c7bd5d0f3370")
        static let gesture = ofTap("c3ff000a-1d8b-40fd-a56f-c7bd5d0f3370")
        static let request = ofTap("c3ff000b-1d8b-40fd-a56f-c7bd5d0f3370")
        static let modelVersion = ofTap("c3ff000c-1d8b-40fd-a56f-c7bd5d0f3370")
        static let coprocessor = ofTap("c3ff000d-1d8b-40fd-a56f-c7bd5d0f3370")
        static let frames = ofTap("c3ff000e-1d8b-40fd-a56f-c7bd5d0f3370")
        static let frameCommand = ofTap("c3ff000f-1d8b-40fd-a56f-c7bd5d0f3370")

        static let command = CharacteristicID(service: uart, uuid: "6e400002-b5a3-f393-e0a9-e50e24dcca9e")
        static let raw = CharacteristicID(service: uart, uuid: "6e400003-b5a3-f393-e0a9-e50e24dcca9e")

        static let manufacturer = CharacteristicID(service: information, uuid: 0x2A29)
        static let serial = CharacteristicID(service: information, uuid: 0x2A25)
        static let hardware = CharacteristicID(service: information, uuid: 0x2A27)
        static let firmware = CharacteristicID(service: information, uuid: 0x2A26)
        static let bootloader = CharacteristicID(service: information, uuid: 0x2A28)
        static let battery = CharacteristicID(service: power, uuid: 0x2A19)

        static let protocolMode = CharacteristicID(service: input, uuid: 0x2A4E)
        static let report = CharacteristicID(service: input, uuid: 0x2A4D)
        static let reportMap = CharacteristicID(service: input, uuid: 0x2A4B)
        static let inputInformation = CharacteristicID(service: input, uuid: 0x2A4A)
        static let controlPoint = CharacteristicID(service: input, uuid: 0x2A4C)

        private static func ofTap(_ uuid: UUID) -> CharacteristicID {
            CharacteristicID(service: tap, uuid: uuid)
        }
    }

    /// The services with their characteristics and properties, in the order of the handles.
    static func table(_ choices: Choices) -> [VirtualService] {
        func service(_ uuid: UUID, _ rows: [Row]) -> VirtualService {
            VirtualService(
                uuid, isClaimed: uuid == Attribute.input,
                rows.filter { !choices.missing.contains($0.id.uuid) }.map { row in
                    VirtualCharacteristic(
                        row.id, row.properties, needsEncryption: choices.encryption.covers(service: uuid))
                })
        }
        let information = [
            Attribute.manufacturer, Attribute.serial, Attribute.hardware, Attribute.firmware,
            Attribute.bootloader,
        ]
        let all = [
            service(Attribute.information, information.map { Row($0, .read) }),
            service(
                Attribute.power,
                [Row(Attribute.battery, choices.notifiesBattery ? [.read, .notify] : .read)]),
            service(Attribute.input, choices.hasInputService ? Self.inputRows : []),
            service(
                Attribute.tap,
                Self.ownRows + (choices.framed == .only ? [] : Self.eventRows)
                    + (choices.model == .xr ? Self.versionRows : [])
                    + (choices.framed == .off ? [] : Self.frameRows)),
            service(
                Attribute.uart,
                choices.framed == .only
                    ? []
                    : [Row(Attribute.command, choices.commandWrites.properties), Row(Attribute.raw, .notify)]),
        ]
        return all.filter { !$0.characteristics.isEmpty }
    }

    /// A characteristic and its properties.
    private struct Row {
        let id: CharacteristicID
        let properties: CharacteristicProperties

        init(_ id: CharacteristicID, _ properties: CharacteristicProperties) {
            self.id = id
            self.properties = properties
        }
    }

    private static let ownRows = [
        Row(Attribute.settings, [.read, .write]), Row(Attribute.name, [.read, .write]),
    ]

    private static let frameRows = [Row(Attribute.frames, .notify), Row(Attribute.frameCommand, .write)]

    private static let eventRows = [
        Row(Attribute.tapData, .notify), Row(Attribute.mouse, [.notify, .write, .writeWithoutResponse]),
        Row(Attribute.mappingInput, [.write, .writeWithoutResponse]), Row(Attribute.mappingOutput, .notify),
        Row(Attribute.userInterface, [.write, .writeWithoutResponse]),
        Row(Attribute.gesture, [.notify, .writeWithoutResponse, .read]),
        Row(Attribute.request, [.notify, .writeWithoutResponse, .read]),
    ]

    private static let versionRows = [
        Row(Attribute.modelVersion, [.notify, .read]), Row(Attribute.coprocessor, [.notify, .read]),
    ]

    private static let inputRows = [
        Row(Attribute.protocolMode, [.read, .writeWithoutResponse]), Row(Attribute.report, [.read, .notify]),
        Row(Attribute.reportMap, .read), Row(Attribute.inputInformation, .read),
        Row(Attribute.controlPoint, .writeWithoutResponse),
    ]

    /// The current name, and the services of advertisement and scan response.
    public var advertisement: VirtualAdvertisement {
        var services: [UUID] = []
        if choices.hasInputService, choices.advertisesInput { services.append(Attribute.input) }
        if choices.advertisesTap { services.append(Attribute.tap) }
        return VirtualAdvertisement(name: advertisedName, services: services, appearance: choices.appearance)
    }

    /// The value that a read of a characteristic returns.
    func value(of id: CharacteristicID) -> [UInt8]? {
        switch id {
        case Attribute.settings: settings
        case Attribute.name: Array(deviceName.utf8)
        case Attribute.gesture: [0x14, airState.rawValue]
        case Attribute.request: [0x00, 0x00, 0x00, keyboard.byte()]
        case Attribute.modelVersion: Array(choices.modelVersion.utf8)
        case Attribute.coprocessor: Array(choices.coprocessor.utf8)
        case Attribute.manufacturer: Array("TAP Systems".utf8)
        case Attribute.serial: Array(serial.utf8)
        case Attribute.hardware: Array(choices.effectiveHardware.utf8)
        case Attribute.firmware: Array(choices.effectiveFirmware.utf8)
        case Attribute.bootloader: Array(choices.bootloader.utf8)
        case Attribute.battery: [UInt8(battery)]
        case Attribute.protocolMode: [1]
        case Attribute.report: KeyMap.released
        case Attribute.reportMap: KeyMap.reportMap
        case Attribute.inputInformation: [0x11, 0x01, 0x00, 0x02]
        default: nil
        }
    }
}
