import Bluetooth
import DeviceKit

/// Names the robot's characteristics (`ESP32_BLE.ino`). Their service is the Nordic UART's, which thousands of
/// other devices have.
enum RobotGATT {
    static let service: UUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"

    /// Where to and how fast: written without response, read back as it was written.
    static let movement = CharacteristicID(service: service, uuid: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
    /// How it turns: as above.
    static let rotation = CharacteristicID(service: service, uuid: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    /// Weapon, field orientation and power: as above.
    static let buttons = CharacteristicID(service: service, uuid: "6E400004-B5A3-F393-E0A9-E50E24DCCA9E")

    /// All three, in the order in which the app writes them.
    static let all = [movement, rotation, buttons]
    /// What each must be able to do.
    static let properties: CharacteristicProperties = [.writeWithoutResponse, .read]

    /// How a value that was read differs from the one that was written; nil where they agree.
    static func complaint(_ result: ReadResult, expected: [UInt8]) -> String? {
        switch result {
        case .failure(let error): "a read failed: \(error)"
        case .success(expected): nil
        case .success(let bytes):
            "it was told \(String(decoding: expected, as: UTF8.self)) and says "
                + String(decoding: bytes.prefix(20), as: UTF8.self)
        }
    }
}
