import Bluetooth
import DeviceKit

/// The services and characteristics of a belt.
///
/// Sources: `FSConnectionManager` of FSLib-iOS, `GattController` of FSLib-Android, `_gatt_profile.py` of pybelt.
enum BeltGATT {
    /// The service UUID that the belt advertises. Other products use the same UUID, so the UUID alone does not identify
    /// a belt.
    static let advertisedService: UUID = "65333333-A115-11E2-9E9A-0800200CA100"
    /// The prefix of the belt's advertised name, ignoring case.
    static let namePrefix = "naviGuertel"

    /// The control service, which some belts also advertise.
    static let controlService: UUID = 0xFE51
    static let sensorService: UUID = 0xFE52
    static let debugService: UUID = 0xFE53

    /// Firmware information: read.
    static let firmware = CharacteristicID(service: controlService, uuid: 0xFE01)
    /// Keep-alive: notified by the belt, answered by a write.
    static let keepAlive = CharacteristicID(service: controlService, uuid: 0xFE02)
    /// Vibration command: written.
    static let vibration = CharacteristicID(service: controlService, uuid: 0xFE03)
    /// Button press: notified.
    static let button = CharacteristicID(service: controlService, uuid: 0xFE04)
    /// Parameter request: written.
    static let parameterRequest = CharacteristicID(service: controlService, uuid: 0xFE05)
    /// Parameter notification: answers requests and reports changes.
    static let parameterNotification = CharacteristicID(service: controlService, uuid: 0xFE06)
    /// Buzzer and LED command: written.
    static let sound = CharacteristicID(service: controlService, uuid: 0xFE07)
    /// Battery status: read and notified.
    static let battery = CharacteristicID(service: controlService, uuid: 0xFE09)
    /// Sensor command: written.
    static let sensorCommand = CharacteristicID(service: sensorService, uuid: 0xFE0A)
    /// Raw sensor packets: notified.
    static let sensorData = CharacteristicID(service: sensorService, uuid: 0xFE0B)
    /// Orientation: notified.
    static let orientation = CharacteristicID(service: sensorService, uuid: 0xFE0C)
    /// Debug input: written.
    static let debugInput = CharacteristicID(service: debugService, uuid: 0xFE13)
    /// Debug output: notified.
    static let debugOutput = CharacteristicID(service: debugService, uuid: 0xFE14)

    /// Every characteristic with the properties that clients are known to use, in the order of the belt's table.
    static let table: [(characteristic: CharacteristicID, properties: CharacteristicProperties)] = [
        (firmware, .read), (keepAlive, [.notify, .write]), (vibration, .write), (button, .notify),
        (parameterRequest, .write), (parameterNotification, .notify), (sound, .write),
        (battery, [.read, .notify]), (sensorCommand, .write), (sensorData, .notify), (orientation, .notify),
        (debugInput, .write), (debugOutput, .notify),
    ]

    /// The characteristics that every known library requires.
    static let required = [
        firmware, keepAlive, vibration, button, parameterRequest, parameterNotification, battery, orientation,
    ]
    /// The characteristics that only some libraries use, or only newer firmware has.
    static let optional = [sound, sensorCommand, sensorData, debugInput, debugOutput]

    /// The link profile of a belt that has every characteristic of ``table``.
    static var profile: LinkProfile {
        var characteristics: [CharacteristicID: CharacteristicProperties] = [:]
        for row in table { characteristics[row.characteristic] = row.properties }
        return LinkProfile(characteristics: characteristics)
    }
}
