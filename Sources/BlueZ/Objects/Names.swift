package import Bluetooth

/// BlueZ's names on the bus.
package enum Names {
    package static let service = "org.bluez"
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    package static let gattService = "org.bluez.GattService1"
    package static let characteristic = "org.bluez.GattCharacteristic1"
    package static let descriptor = "org.bluez.GattDescriptor1"
    package static let battery = "org.bluez.Battery1"
    package static let agent = "org.bluez.Agent1"
    package static let agentManager = "org.bluez.AgentManager1"
    package static let properties = "org.freedesktop.DBus.Properties"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"

    /// bluetoothd's plugins that claim a service of a device, by service (profiles/midi/midi.c, profiles/input/hog.c,
    /// BlueZ 5.66).
    package static let plugins: [UUID: String] = [
        "03b80e5a-ede8-4b33-a751-6ce34ec4c700": "midi", 0x1812: "hog",
    ]
}
