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

    /// The object of the adapter.
    var adapterPath: ObjectPath { BlueZName.path(ofAdapter: adapter) }

    /// The object of its advertisement, outside the application.
    var advertisementPath: ObjectPath { RealPeripherals.advertisements.appending(adapter) }
}
