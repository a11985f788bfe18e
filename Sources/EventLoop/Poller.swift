import Glibc

/// Waits for descriptors with `poll`; belongs to the loop's thread.
final class Poller {
    private var needsUpdate = true
    private var watches: [Watch] = []
    private var active: [Watch] = []
    private var entries: [pollfd] = []
    private let wakeDescriptor: CInt
    private let alarmDescriptor: CInt

    init(wakeDescriptor: CInt, alarmDescriptor: CInt) {
        self.wakeDescriptor = wakeDescriptor
        self.alarmDescriptor = alarmDescriptor
    }

    func add(_ watch: Watch) {
        watches.append(watch)
        needsUpdate = true
    }

    func remove(_ watch: Watch) {
        watches.removeAll { $0 === watch }
        needsUpdate = true
    }

    /// Takes what a watch waits for now. A change of what is waited for is written into the list, since a round of the
    /// loop may bring several; with a pause, or its end, the list becomes another.
    func interestChanged(of watch: Watch, from old: Interest) {
        guard !needsUpdate, let place = watch.place, !old.isEmpty, !watch.interest.isEmpty else {
            needsUpdate = true
            return
        }
        entries[place].events = watch.interest.events
    }

    func removeAll() {
        for watch in watches { watch.cancel() }
        active = []
    }

    /// Waits until something is ready, or only looks, and calls the handlers of what is.
    ///
    /// Before the handlers, `wakeUp` learns that the wait is over, and whether the wake pipe or the alarm rang.
    func wait(_ maySleep: Bool, wakeUp: (_ byPipe: Bool, _ byAlarm: Bool) -> Void) {
        if needsUpdate { update() }
        let count = poll(&entries, nfds_t(entries.count), maySleep ? -1 : 0)
        // EINTR is a wake-up like any other; nothing else can fail with valid memory.
        guard count > 0 else { return wakeUp(false, false) }
        let (isWoken, isAlarm) = (entries[0].revents != 0, entries[1].revents != 0)
        wakeUp(isWoken, isAlarm)
        var remaining = count - (isWoken ? 1 : 0) - (isAlarm ? 1 : 0)
        var index = 2
        while remaining > 0, index < entries.count {
            let events = entries[index].revents
            if events != 0 {
                remaining -= 1
                report(events, to: active[index - 2])
            }
            index += 1
        }
    }

    private func report(_ events: CShort, to watch: Watch) {
        // An earlier handler of this round may have cancelled or paused it.
        guard let handler = watch.handler, !watch.interest.isEmpty else { return }
        handler(Readiness(events: events))
        // A closed descriptor would be reported for ever.
        if events & CShort(POLLNVAL) != 0 { watch.cancel() }
    }

    /// Builds the list anew; handlers only mark it, so it never changes under a running round.
    private func update() {
        needsUpdate = false
        active = watches.filter { !$0.interest.isEmpty }
        for watch in watches { watch.place = nil }
        for (index, watch) in active.enumerated() { watch.place = index + 2 }
        entries = [wakeDescriptor, alarmDescriptor].map {
            pollfd(fd: $0, events: CShort(POLLIN), revents: 0)
        }
        entries += active.map { pollfd(fd: $0.descriptor, events: $0.interest.events, revents: 0) }
    }
}
