import Bluetooth
import DBus

/// The connection attempts, and for each adapter the queue of attempts; belongs to the loop's thread.
struct ConnectTable {
    /// The queue of connection attempts of each adapter.
    var queues: [ObjectPath: ConnectQueue] = [:]
    /// Devices whose cached services were removed since the last link, because required characteristics were missing.
    var refreshed: Set<Bluetooth.Address> = []
    private var attempts: [Bluetooth.Address: ConnectAttempt] = [:]
    private var bondingCount = 0

    /// Whether one of the devices that are being connected is allowed to bond.
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

    /// Whether a device is being connected on an adapter. Most controllers cannot connect while they discover.
    func isBusy(_ adapter: ObjectPath) -> Bool { queues[adapter]?.current != nil }

    /// Ends all attempts after the loss of bluetoothd.
    mutating func serviceLost(reason: String) {
        queues = [:]
        for (address, attempt) in attempts {
            attempts[address]?.enter(.ended(attempt.error(.serviceAway, reason)))
        }
    }
}
