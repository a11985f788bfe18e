import Bluetooth
import DBus
import EventLoop

/// What a task waits for a change of: each change asks only the tasks that it may concern.
enum WaitSubject: Hashable {
    /// What is known of the device, its links and attempts to connect it.
    case device(Bluetooth.Address)
    /// The adapter and its discovery.
    case adapter(ObjectPath)
    /// The turn of one connection on an adapter.
    case turn(ObjectPath, ConnectQueue.Ticket)
}

/// The tasks that wait for changes of one subject.
struct WaitEntry {
    let waiters: Waiters
    /// How many tasks wait or are about to.
    var users = 0
}

extension Client {
    /// Waits until a condition holds; it is asked after every change of the subject, and when bluetoothd goes. False
    /// if the time was over, or the task cancelled, before.
    func until(
        _ subject: WaitSubject, _ limit: Duration? = nil, isCancellable: Bool = true,
        _ condition: @escaping () -> Bool
    ) async -> Bool {
        if condition() { return true }
        let waiters = waits[subject]?.waiters ?? Waiters(on: loop)
        waits[subject, default: WaitEntry(waiters: waiters)].users += 1
        defer {
            waits[subject]?.users -= 1
            if waits[subject]?.users == 0 { waits[subject] = nil }
        }
        return await waiters.wait(upTo: limit, isCancellable: isCancellable, until: condition)
    }

    /// Asks the conditions of one subject anew.
    func wake(_ subject: WaitSubject) { waits[subject]?.waiters.check() }

    /// Asks all conditions anew.
    func wakeAll() {
        for entry in waits.values { entry.waiters.check() }
    }

    /// Asks the conditions that a change of the tree may concern.
    func wake(after change: ObjectTree.Change) {
        switch change {
        case .adapter(let was, let now) where was?.isPowered != now?.isPowered: wakeAll()
        case .adapter(let was, let now):
            if let adapter = now ?? was { wake(.adapter(adapter.path)) }
        case .device(let was, let now):
            if let was { wake(.device(was.address)) }
            if let now, now.address != was?.address { wake(.device(now.address)) }
        case .gatt(let device), .battery(let device, _):
            if let address = tree.devices[device]?.address { wake(.device(address)) }
        }
    }
}
