import Bluetooth
import DBus

/// The links of this program, by device and by number; belongs to the loop's thread.
struct LinkTable {
    private var byDevice: [ObjectPath: LinkState] = [:]
    private var byNumber: [UInt64: LinkState] = [:]
    /// The links whose devices may begin to bond by themselves.
    private var bonding: Set<UInt64> = []
    /// Devices for which `Disconnect` is under way.
    var closing: Set<ObjectPath> = []
    /// Why links end, as bluetoothd reports it before their end.
    var endReasons: [ObjectPath: String] = [:]

    subscript(device: ObjectPath) -> LinkState? { byDevice[device] }

    subscript(number number: UInt64) -> LinkState? { byNumber[number] }

    /// The devices that have a link, in order.
    var devices: [ObjectPath] { byDevice.keys.sorted() }

    /// Whether a device may begin to bond by itself over its link.
    var mayBond: Bool { !bonding.isEmpty }

    /// Whether this program ends the link to a device.
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

    /// Notes whether the device of a link may begin to bond by itself: one that is not ready so far, or one whose bond
    /// went while its link lasted.
    mutating func update(_ link: LinkState, isPaired: Bool?) {
        let mayBond =
            byNumber[link.number] != nil && link.requirements.mayBond
            && (!link.isSettled || link.wasPaired && isPaired == false)
        if mayBond { bonding.insert(link.number) } else { bonding.remove(link.number) }
    }
}
