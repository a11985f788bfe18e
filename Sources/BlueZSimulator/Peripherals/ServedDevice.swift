import Bluetooth
import DBus
import VirtualDevices

/// A virtual device, and the real adapter that serves it.
struct ServedDevice: Sendable {
    /// The scenario name of the device.
    let name: String
    /// The name of the adapter, such as `hci1`.
    let adapter: String
    /// The advertisement that is registered with bluetoothd.
    var advertisement: VirtualAdvertisement
    let layout: ApplicationLayout
    var registration = Registration()
    /// The D-Bus objects of the connected clients.
    var links: Set<ObjectPath> = []
    /// The clients that have a bond in bluetoothd, by their objects.
    private(set) var bonds: Set<ObjectPath> = []
    /// The characteristics that bluetoothd has subscribed to. The subscriptions of a bonded client outlast its
    /// connection, and bluetoothd does not subscribe again on the next connection.
    private(set) var subscriptions: Set<CharacteristicID> = []
    var isMuted = false

    /// The path of the application's object manager, the root of all its objects.
    let root: ObjectPath

    init(_ peripheral: Peripheral, adapter: String) {
        name = peripheral.name
        self.adapter = adapter
        advertisement = peripheral.advertisement
        root = RealPeripherals.root.appending(adapter)
        layout = ApplicationLayout(peripheral.services, root: root)
    }

    var adapterPath: ObjectPath { BlueZName.path(ofAdapter: adapter) }

    /// The object of the advertisement, outside the application.
    var advertisementPath: ObjectPath { RealPeripherals.advertisements.appending(adapter) }

    /// Records that bluetoothd has subscribed to a characteristic or unsubscribed from it.
    mutating func setSubscription(_ id: CharacteristicID, _ isWanted: Bool) {
        if isWanted { subscriptions.insert(id) } else { subscriptions.remove(id) }
    }

    /// Records that bluetoothd has lost its subscriptions.
    mutating func forgetSubscriptions() { subscriptions = [] }

    /// Records that a bond with a client exists or was removed.
    mutating func setBond(_ path: ObjectPath, _ isThere: Bool) {
        if isThere { bonds.insert(path) } else { bonds.remove(path) }
    }
}
