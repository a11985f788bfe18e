import Bluetooth
import DeviceKit

/// The robot's characteristics (`ESP32_BLE.ino`). Their service is the Nordic UART service, which thousands of other
/// devices have too.
enum RobotGATT {
    static let service: UUID = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"

    /// Direction and speed. Written without response; a read returns the written value.
    static let movement = CharacteristicID(service: service, uuid: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
    /// Rotation. Written and read like ``movement``.
    static let rotation = CharacteristicID(service: service, uuid: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    /// Weapon, field orientation and power. Written and read like ``movement``.
    static let buttons = CharacteristicID(service: service, uuid: "6E400004-B5A3-F393-E0A9-E50E24DCCA9E")

    /// The characteristics that make up a frame, in the order in which the makers' app writes them.
    static let all = [movement, rotation, buttons]
    /// The properties that each characteristic must have.
    static let properties: CharacteristicProperties = [.writeWithoutResponse, .read]

    /// Returns in words how the value that was read differs from the expected value; nil if they are equal.
    static func complaint(_ result: ReadResult, expected: [UInt8]) -> String? {
        switch result {
        case .failure(let error): "a read failed: \(error)"
        case .success(expected): nil
        case .success(let bytes):
            "\(String(decoding: expected, as: UTF8.self)) was written, but the robot reports "
                + String(decoding: bytes.prefix(20), as: UTF8.self)
        }
    }
}
