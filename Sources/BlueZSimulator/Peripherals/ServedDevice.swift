import Bluetooth
import DBus
import VirtualDevices

/// One device of the world and the adapter that serves it.
struct ServedDevice: Sendable {
    /// The scenario name of the device.
    let name: String
    /// The adapter: `hci1`.
    let adapter: String
    /// What it advertises, as it was registered last.
    var advertisement: VirtualAdvertisement
    let layout: ApplicationLayout
    var registration = Registration()
    /// The objects of the clients that are connected.
    var links: Set<ObjectPath> = []
    /// The clients with which bluetoothd holds a bond, by their objects.
    private(set) var bonds: Set<ObjectPath> = []
    /// What bluetoothd asked notifications of. A bonded client's subscriptions outlive its link, and
    /// bluetoothd does not ask again.
    private(set) var subscriptions: Set<CharacteristicID> = []
    var isMuted = false

    /// The object manager of its application.
    let root: ObjectPath

    init(_ peripheral: Peripheral, adapter: String) {
        name = peripheral.name
        self.adapter = adapter
        advertisement = peripheral.advertisement
        root = RealPeripherals.root.appending(adapter)
        layout = ApplicationLayout(peripheral.services, root: root)
    }

    var adapterPath: ObjectPath { BlueZName.path(ofAdapter: adapter) }

    /// The object of its advertisement, outside the application.
    var advertisementPath: ObjectPath { RealPeripherals.advertisements.appending(adapter) }

    /// Takes it that bluetoothd wants the notifications of a characteristic, or no more.
    mutating func setSubscription(_ id: CharacteristicID, _ isWanted: Bool) {
        if isWanted { subscriptions.insert(id) } else { subscriptions.remove(id) }
    }

    /// Takes it that bluetoothd has forgotten whom it subscribed for.
    mutating func forgetSubscriptions() { subscriptions = [] }

    /// Takes it that there is a bond with a client, or none any more.
    mutating func setBond(_ path: ObjectPath, _ isThere: Bool) {
        if isThere { bonds.insert(path) } else { bonds.remove(path) }
    }
}
