import Bluetooth
import DBus

/// The connections that are being made, and whose turn it is; belongs to the loop's thread.
struct ConnectTable {
    /// Whose turn it is, by adapter.
    var queues: [ObjectPath: ConnectQueue] = [:]
    /// Devices whose cached services were thrown away since the last link, as they lacked what was required.
    var refreshed: Set<Bluetooth.Address> = []
    private var attempts: [Bluetooth.Address: ConnectAttempt] = [:]
    private var bondingCount = 0

    /// Whether one of the devices may bond.
    var mayBond: Bool { bondingCount > 0 }

    subscript(address: Bluetooth.Address) -> ConnectAttempt? {
        get { attempts[address] }
        set {
            let was = attempts.removeValue(forKey: address)
            if was?.requirements.mayBond == true { bondingCount -= 1 }
            attempts[address] = newValue
            if newValue?.requirements.mayBond == true { bondingCount += 1 }
        }
    }

    /// Whether a device is being connected on an adapter, which most controllers cannot do while they discover.
    func isBusy(_ adapter: ObjectPath) -> Bool { queues[adapter]?.current != nil }

    /// bluetoothd is gone, and with it all that was under way.
    mutating func serviceLost(reason: String) {
        queues = [:]
        for (address, attempt) in attempts {
            attempts[address]?.enter(.ended(attempt.error(.serviceAway, reason)))
        }
    }
}
