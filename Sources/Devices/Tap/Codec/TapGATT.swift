import Bluetooth

/// The services and characteristics of a TAP.
///
/// Sources: `TAPCBUUID.swift` of tap-ios-sdk, `TapBluetoothManager` of tap-android-sdk, `tap.py` of tap-python-sdk.
enum TapGATT {
    /// The service of taps, mouse, gestures and haptics. Every TAP lists it in its scan response.
    static let tapService: UUID = "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370"
    /// The Nordic UART service, which carries the modes and the raw stream in binary form.
    static let uartService: UUID = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    /// The HID service (keyboard and mouse). bluetoothd uses it for the input of the host, so clients cannot access it.
    static let inputService: UUID = 0x1812
    /// The default prefix of a TAP's name. The owner can change the name.
    static let namePrefix = "Tap"

    /// The name that the owner chose: read and written.
    static let deviceName = tap("c3ff0003-1d8b-40fd-a56f-c7bd5d0f3370")
    /// The fingers that tapped: notified.
    static let taps = tap("c3ff0005-1d8b-40fd-a56f-c7bd5d0f3370")
    /// Mouse motion: notified.
    static let mouse = tap("c3ff0006-1d8b-40fd-a56f-c7bd5d0f3370")
    /// Haptics: written.
    static let haptics = tap("c3ff0009-1d8b-40fd-a56f-c7bd5d0f3370")
    /// Gestures and the air-mouse state: notified. The state is requested by a write.
    static let air = tap("c3ff000a-1d8b-40fd-a56f-c7bd5d0f3370")
    /// The version of a TapXR's vision model, which straps do not have: read.
    static let visionModel = tap("c3ff000c-1d8b-40fd-a56f-c7bd5d0f3370")
    /// The firmware of a TapXR's second processor: read.
    static let secondFirmware = tap("c3ff000d-1d8b-40fd-a56f-c7bd5d0f3370")
    /// All reports of a TAP with the framed protocol: notified. Only such a TAP has this characteristic.
    static let frames = tap("c3ff000e-1d8b-40fd-a56f-c7bd5d0f3370")
    /// All commands to a TAP with the framed protocol: written.
    static let frameCommand = tap("c3ff000f-1d8b-40fd-a56f-c7bd5d0f3370")

    /// Input modes and TapXR states: written.
    static let command = CharacteristicID(
        service: uartService, uuid: "6e400002-b5a3-f393-e0a9-e50e24dcca9e")
    /// Frames of raw sensor values: notified.
    static let raw = CharacteristicID(service: uartService, uuid: "6e400003-b5a3-f393-e0a9-e50e24dcca9e")

    /// Manufacturer: read.
    static let manufacturer = CharacteristicID(service: 0x180A, uuid: 0x2A29)
    /// Serial number: read.
    static let serial = CharacteristicID(service: 0x180A, uuid: 0x2A25)
    /// Hardware version: read.
    static let hardware = CharacteristicID(service: 0x180A, uuid: 0x2A27)
    /// Firmware version: read.
    static let firmware = CharacteristicID(service: 0x180A, uuid: 0x2A26)
    /// Version of the bootloader: read.
    static let bootloader = CharacteristicID(service: 0x180A, uuid: 0x2A28)
    /// Charge in percent: read, and notified by some firmware. If BlueZ reserves the service, `org.bluez.Battery1`
    /// replaces it.
    static let battery = CharacteristicID(service: 0x180F, uuid: 0x2A19)

    /// The characteristics that every classic TAP must have (`Readme.md` of tap-python-sdk, tap-standalonewin-sdk).
    static let required = [taps, command]
    /// The characteristics that a TAP with the framed protocol must have instead of ``required``.
    static let framed = [frames, frameCommand]
    /// The characteristics that a TAP may lack. The bridge uses those that exist.
    static let optional =
        [
            mouse, air, haptics, raw, deviceName, visionModel, secondFirmware, manufacturer, serial, hardware,
            firmware, bootloader, battery,
        ] + framed

    private static func tap(_ uuid: UUID) -> CharacteristicID {
        CharacteristicID(service: tapService, uuid: uuid)
    }
}
