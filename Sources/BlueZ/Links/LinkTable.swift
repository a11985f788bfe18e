import Bluetooth
import DBus

/// The links of this program, by device and by number; belongs to the loop's thread.
struct LinkTable {
    private var byDevice: [ObjectPath: LinkState] = [:]
    private var byNumber: [UInt64: LinkState] = [:]
    /// The numbers of the links over which the device, not the host, may start bonding.
    private var bonding: Set<UInt64> = []
    /// The devices whose links this program is closing with `Disconnect`.
    var closing: Set<ObjectPath> = []
    /// The reasons why links end. bluetoothd signals the reason before it signals the disconnect itself.
    var endReasons: [ObjectPath: String] = [:]

    subscript(device: ObjectPath) -> LinkState? { byDevice[device] }

    subscript(number number: UInt64) -> LinkState? { byNumber[number] }

    var devices: [ObjectPath] { byDevice.keys.sorted() }

    /// Whether any device with a link may start bonding without a request of the host.
    var mayBond: Bool { !bonding.isEmpty }

    /// Whether this program is closing the link to a device.
    func isClosing(_ device: ObjectPath) -> Bool {
        closing.contains(device) || byDevice[device]?.isClosing ?? false
    }

    mutating func add(_ link: LinkState) {
        byDevice[link.device] = link
        byNumber[link.number] = link
    }

    mutating func remove(_ device: ObjectPath) -> LinkState? {
        guard let link = byDevice.removeValue(forKey: device) else { return nil }
        byNumber[link.number] = nil
        bonding.remove(link.number)
        return link
    }

    /// Updates whether the device of a link may start bonding itself: the device is not yet ready, or its bond was lost
    /// during the link.
    mutating func update(_ link: LinkState, isPaired: Bool?) {
        let mayBond =
            byNumber[link.number] != nil && link.requirements.mayBond
            && (!link.isSettled || link.wasPaired && isPaired == false)
        if mayBond { bonding.insert(link.number) } else { bonding.remove(link.number) }
    }
}
