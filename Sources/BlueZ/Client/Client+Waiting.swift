import Bluetooth
import DBus
import EventLoop

/// What a task waits for. After a change, the client checks only the conditions of the tasks with the same subject.
enum WaitSubject: Hashable {
    /// The state of a device, its links and its connection attempts.
    case device(Bluetooth.Address)
    /// The adapter and its discovery.
    case adapter(ObjectPath)
    /// The turn of one connection attempt on an adapter: the time at which the adapter is free for the attempt.
    case turn(ObjectPath, ConnectQueue.Ticket)
}

/// The conditions of the tasks that wait for one subject.
struct WaitEntry {
    let waiters: Waiters
    /// The number of tasks that wait or are about to wait.
    var users = 0
}

extension Client {
    /// Waits until a condition holds. The condition is checked after every change of the subject, and when bluetoothd
    /// is lost. Returns false on a timeout, and if the task was canceled.
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

    /// Checks the conditions of one subject again.
    func wake(_ subject: WaitSubject) { waits[subject]?.waiters.check() }

    /// Checks all conditions again.
    func wakeAll() {
        for entry in waits.values { entry.waiters.check() }
    }

    /// Checks the conditions that a change of the tree may affect.
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
