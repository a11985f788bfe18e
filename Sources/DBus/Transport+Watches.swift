import CDBus
import EventLoop

/// libdbus's requests to the loop: to watch descriptors, and to call it after timeouts.
extension Transport {
    func add(_ watch: OpaquePointer?) -> dbus_bool_t {
        guard let watch else { return 0 }
        let descriptor = dbus_watch_get_unix_fd(watch)
        let merged =
            watches[descriptor]
            ?? DescriptorWatch(descriptor: descriptor, loop: loop) { [weak self] readiness in
                self?.ready(descriptor, readiness)
            }
        watches[descriptor] = merged
        merged.add(watch)
        return 1
    }

    func remove(_ watch: OpaquePointer?) {
        guard let watch,
            let (descriptor, merged) = watches.first(where: { $0.value.members.contains(watch) })
        else { return }
        merged.remove(watch)
        guard merged.members.isEmpty else { return }
        merged.cancel()
        watches[descriptor] = nil
    }

    func toggle(_ watch: OpaquePointer?) {
        guard let watch else { return }
        watches[dbus_watch_get_unix_fd(watch)]?.update()
    }

    func add(timeout: OpaquePointer?) -> dbus_bool_t {
        toggle(timeout: timeout)
        return 1
    }

    func remove(timeout: OpaquePointer?) {
        guard let timeout else { return }
        timers.removeValue(forKey: timeout)?.cancel()
    }

    /// Restarts or stops the timeout according to libdbus's current settings.
    func toggle(timeout: OpaquePointer?) {
        guard let timeout else { return }
        timers.removeValue(forKey: timeout)?.cancel()
        guard dbus_timeout_get_enabled(timeout) != 0 else { return }
        let interval = Duration.milliseconds(Int(dbus_timeout_get_interval(timeout)))
        timers[timeout] = loop.schedule(after: interval) { [weak self] in
            guard let self, self.timers[timeout] != nil else { return }
            _ = dbus_timeout_handle(timeout)
            // libdbus expects that a timeout repeats until libdbus removes or disables it.
            if self.timers[timeout] != nil { self.toggle(timeout: timeout) }
        }
    }

    private func ready(_ descriptor: CInt, _ readiness: Readiness) {
        guard let merged = watches[descriptor] else { return }
        var common: UInt32 = 0
        if readiness.contains(.hungUp) { common |= DBUS_WATCH_HANGUP.rawValue }
        if readiness.contains(.failed) { common |= DBUS_WATCH_ERROR.rawValue }
        isHandlingWatch = true
        for member in merged.members {
            // Each watch is checked again, because handling one watch may remove or disable another watch.
            guard merged.members.contains(member), dbus_watch_get_enabled(member) != 0 else { continue }
            let wanted = dbus_watch_get_flags(member)
            var flags = common
            if readiness.contains(.readable) { flags |= wanted & DBUS_WATCH_READABLE.rawValue }
            if readiness.contains(.writable) { flags |= wanted & DBUS_WATCH_WRITABLE.rawValue }
            if flags != 0 { _ = dbus_watch_handle(member, flags) }
        }
        isHandlingWatch = false
        dispatch()
        if readiness.contains(.writable) { reportIfDrained() }
    }
}
