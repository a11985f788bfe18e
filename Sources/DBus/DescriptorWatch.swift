import CDBus
import EventLoop

/// Merges libdbus's read and write watches of one descriptor into one watch of the loop.
final class DescriptorWatch {
    private(set) var members: [OpaquePointer] = []
    private var watch: Watch?

    init(descriptor: CInt, loop: EventLoop, handler: @escaping (Readiness) -> Void) {
        watch = loop.watch(descriptor, for: [], handler: handler)
    }

    func add(_ member: OpaquePointer) {
        members.append(member)
        update()
    }

    func remove(_ member: OpaquePointer) {
        members.removeAll { $0 == member }
        update()
    }

    func cancel() {
        watch?.cancel()
        watch = nil
    }

    /// Sets the interest to the union of the enabled watches.
    func update() {
        var interest: Interest = []
        for member in members where dbus_watch_get_enabled(member) != 0 {
            let flags = dbus_watch_get_flags(member)
            if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
            if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
        }
        watch?.interest = interest
    }
}
