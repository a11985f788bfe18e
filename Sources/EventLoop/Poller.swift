import CLinux
import Glibc

/// Waits for descriptors with `epoll`: a wait costs the same with three of them and with three thousand.
///
/// It belongs to the loop's thread.
final class Poller {
    /// A descriptor, with those who wait for it.
    private final class Entry {
        let descriptor: CInt
        /// Tells it from another that had the same number: an event of this round may be about that one.
        let generation: UInt32
        var watches: [Watch] = []
        /// What the kernel was told; empty if it does not wait for the descriptor.
        var told: Interest = []
        /// Whether the kernel is to be told again, whatever it was told: the number may mean another file by now.
        var isUncertain = false
        var isMarked = false
        /// How it is told where the kernel tells nothing.
        var substitute: Substitute?

        init(descriptor: CInt, generation: UInt32) {
            (self.descriptor, self.generation) = (descriptor, generation)
        }

        /// What its watches wait for together.
        var interest: Interest { watches.reduce(into: []) { $0.formUnion($1.interest) } }
    }

    private enum Substitute {
        /// In each round: the kernel does not wait for a file, which is always ready.
        case always
        /// Once: it is not open.
        case failure
    }

    /// How many ready descriptors one wait tells of; the others follow in the next round.
    private static let capacity = 64

    private let kernel: CInt
    private let wakeDescriptor: CInt
    private let alarmDescriptor: CInt
    private var entries: [CInt: Entry] = [:]
    private var generations: UInt32 = 0
    /// What the kernel has to be told before the next wait.
    private var marked: [Entry] = []
    /// Those of which the kernel tells nothing.
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

    /// Lets the kernel know at once if nobody waits any more: the descriptor may be closed behind this call, and stay
    /// open in another process.
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

    /// Waits until something is ready, or only looks, and calls the handlers of what is.
    ///
    /// Before the handlers, `wakeUp` learns that the wait is over, and whether the wake pipe or the alarm rang.
    func wait(_ maySleep: Bool, wakeUp: (_ byPipe: Bool, _ byAlarm: Bool) -> Void) {
        if !marked.isEmpty { tellKernel() }
        let patience: CInt = maySleep && others.isEmpty ? -1 : 0
        // EINTR is a wake-up like any other; nothing else can fail with valid memory.
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
            // An earlier handler of this round may have cancelled or paused it.
            let own = readiness.intersection(Readiness(toldTo: watch.interest))
            if !own.isEmpty, let handler = watch.handler { handler(own) }
        }
    }

    /// Calls those of which the kernel tells nothing; who waits for what is not open waits no more.
    private func reportOthers() {
        for entry in others {
            switch entry.substitute {
            case .always: report([.readable, .writable], to: entry)
            case .failure:
                let failed = entry.watches
                report(.failed, to: entry)
                for watch in failed { watch.cancel() }
                // One of them may have opened another file under the number, and watch that.
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

    // MARK: The kernel

    /// Tells the kernel what is waited for by now: a round of the loop may have changed it several times.
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

    /// - Returns: The system's number of an error, 0 for none.
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
