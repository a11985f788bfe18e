import CLinux
import Glibc

/// Waits for descriptors with `epoll`: the cost of a wait is the same for three descriptors and for three thousand.
///
/// It belongs to the loop's thread.
final class Poller {
    /// A watched descriptor with all its watches.
    private final class Entry {
        let descriptor: CInt
        /// Distinguishes this descriptor from a closed descriptor with the same number, for which the kernel may still
        /// have reported an event in this round.
        let generation: UInt32
        var watches: [Watch] = []
        /// The interest that was last set in the kernel; empty if the kernel does not watch the descriptor.
        var told: Interest = []
        /// Whether the kernel has to be updated even if the interest is unchanged, because the number may refer to a
        /// different file.
        var isUncertain = false
        var isMarked = false
        /// How this class reports readiness that the kernel cannot report, as for a regular file; nil if the kernel
        /// reports it.
        var substitute: Substitute?

        init(descriptor: CInt, generation: UInt32) {
            (self.descriptor, self.generation) = (descriptor, generation)
        }

        /// The union of the interests of all watches, which the kernel has to watch for.
        var interest: Interest { watches.reduce(into: []) { $0.formUnion($1.interest) } }
    }

    private enum Substitute {
        /// The descriptor is reported as ready in each round. It is a regular file, which is always ready but not
        /// supported by epoll.
        case always
        /// The descriptor is not open. This failure is reported once.
        case failure
    }

    /// The maximum number of ready descriptors per wait; further descriptors follow in the next round.
    private static let capacity = 64

    private let kernel: CInt
    private let wakeDescriptor: CInt
    private let alarmDescriptor: CInt
    private var entries: [CInt: Entry] = [:]
    private var generations: UInt32 = 0
    /// The descriptors whose interest has to be updated in the kernel before the next wait.
    private var marked: [Entry] = []
    /// The descriptors whose readiness the kernel cannot report.
    private var others: [Entry] = []
    private let events = UnsafeMutablePointer<epoll_record>.allocate(capacity: Poller.capacity)

    init(wakeDescriptor: CInt, alarmDescriptor: CInt) throws(EventLoopError) {
        kernel = epoll_create1(O_CLOEXEC)
        guard kernel >= 0 else { throw EventLoopError(call: "epoll_create1", errno: errno) }
        (self.wakeDescriptor, self.alarmDescriptor) = (wakeDescriptor, alarmDescriptor)
        for descriptor in [wakeDescriptor, alarmDescriptor] {
            let error = control(CInt(EPOLL_CTL_ADD), descriptor, .readable, generation: 0)
            guard error == 0 else { throw EventLoopError(call: "epoll_ctl", errno: error) }
        }
    }

    deinit {
        close(kernel)
        events.deallocate()
    }

    func add(_ watch: Watch) {
        let entry = entries[watch.descriptor] ?? makeEntry(watch.descriptor)
        entry.watches.append(watch)
        add(entry)
    }

    /// Removes a watch. If it was the last watch of its descriptor, the descriptor is removed from the kernel's list
    /// immediately. Otherwise the kernel would continue to watch a descriptor that this process closes while another
    /// process keeps it open.
    func remove(_ watch: Watch) {
        guard let entry = entries[watch.descriptor] else { return }
        entry.watches.removeAll { $0 === watch }
        guard entry.watches.isEmpty else { return mark(entry) }
        if !entry.told.isEmpty { _ = control(CInt(EPOLL_CTL_DEL), entry.descriptor, [], generation: 0) }
        entry.told = []
        entries[entry.descriptor] = nil
        others.removeAll { $0 === entry }
    }

    func interestChanged(of watch: Watch) {
        if let entry = entries[watch.descriptor] { mark(entry) }
    }

    func removeAll() {
        for entry in entries.values { for watch in entry.watches { watch.cancel() } }
    }

    /// Calls the handlers of ready descriptors; if `maySleep` is true, waits until a descriptor is ready.
    ///
    /// Before the handlers, calls `wakeUp`, which receives whether the wake pipe is readable and whether the alarm is
    /// readable.
    func wait(_ maySleep: Bool, wakeUp: (_ byPipe: Bool, _ byAlarm: Bool) -> Void) {
        if !marked.isEmpty { tellKernel() }
        let patience: CInt = maySleep && others.isEmpty ? -1 : 0
        // EINTR counts as a wake-up; no other error is possible with valid memory.
        let count = max(0, Int(epoll_wait(kernel, events, CInt(Self.capacity), patience)))
        var (isWoken, isAlarm) = (false, false)
        for index in 0..<count {
            let descriptor = Self.descriptor(events[index])
            if descriptor == wakeDescriptor { isWoken = true }
            if descriptor == alarmDescriptor { isAlarm = true }
        }
        wakeUp(isWoken, isAlarm)
        for index in 0..<count {
            let event = events[index]
            guard let entry = entries[Self.descriptor(event)],
                entry.generation == UInt32(truncatingIfNeeded: event.data >> 32)
            else { continue }
            report(Readiness(events: event.events), to: entry)
        }
        if !others.isEmpty { reportOthers() }
    }

    // MARK: Handlers

    private func report(_ readiness: Readiness, to entry: Entry) {
        for watch in entry.watches {
            // An earlier handler of this round may have canceled or paused the watch.
            let own = readiness.intersection(Readiness(toldTo: watch.interest))
            if !own.isEmpty, let handler = watch.handler { handler(own) }
        }
    }

    /// Calls the handlers of descriptors whose readiness the kernel cannot report. Watches of a descriptor that is not
    /// open are canceled.
    private func reportOthers() {
        for entry in others {
            switch entry.substitute {
            case .always: report([.readable, .writable], to: entry)
            case .failure:
                let failed = entry.watches
                report(.failed, to: entry)
                for watch in failed { watch.cancel() }
                // If the descriptor has watches again, a handler has opened another file with the same number and
                // watches it.
                guard !entry.watches.isEmpty else { continue }
                entry.substitute = nil
                others.removeAll { $0 === entry }
                add(entry)
            case nil: break
            }
        }
    }

    // MARK: Descriptors

    private func makeEntry(_ descriptor: CInt) -> Entry {
        generations += 1
        let entry = Entry(descriptor: descriptor, generation: generations)
        entries[descriptor] = entry
        return entry
    }

    private func add(_ entry: Entry) {
        entry.isUncertain = true
        mark(entry)
    }

    private func mark(_ entry: Entry) {
        guard !entry.isMarked else { return }
        entry.isMarked = true
        marked.append(entry)
    }

    // MARK: Kernel

    /// Passes the changes of the round to the kernel: one call for each descriptor, even if it has changed several
    /// times.
    private func tellKernel() {
        for entry in marked {
            entry.isMarked = false
            if entries[entry.descriptor] === entry { tell(entry) }
        }
        marked.removeAll(keepingCapacity: true)
    }

    private func tell(_ entry: Entry) {
        let wanted = entry.interest
        guard wanted != entry.told || entry.isUncertain else { return }
        entry.isUncertain = false
        if entry.substitute != nil { return }
        let isKnown = !entry.told.isEmpty
        entry.told = []
        guard !wanted.isEmpty else {
            if isKnown { _ = control(CInt(EPOLL_CTL_DEL), entry.descriptor, [], generation: 0) }
            return
        }
        var error = control(
            isKnown ? CInt(EPOLL_CTL_MOD) : CInt(EPOLL_CTL_ADD), entry.descriptor, wanted,
            generation: entry.generation)
        if error == ENOENT || error == EEXIST {
            error = control(
                error == ENOENT ? CInt(EPOLL_CTL_ADD) : CInt(EPOLL_CTL_MOD), entry.descriptor, wanted,
                generation: entry.generation)
        }
        switch error {
        case 0: entry.told = wanted
        default:
            entry.substitute = error == EPERM ? .always : .failure
            others.append(entry)
        }
    }

    /// - Returns: The error number; 0 for success.
    private func control(
        _ call: CInt, _ descriptor: CInt, _ interest: Interest, generation: UInt32
    ) -> CInt {
        var event = epoll_record()
        event.events = interest.events
        event.data = UInt(generation) << 32 | UInt(UInt32(bitPattern: descriptor))
        return epoll_ctl(kernel, call, descriptor, &event) == 0 ? 0 : errno
    }

    private static func descriptor(_ event: epoll_record) -> CInt {
        CInt(truncatingIfNeeded: event.data)
    }
}
