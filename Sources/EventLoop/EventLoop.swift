import Glibc

/// Runs actors, descriptors and timers on one thread of its own that waits in `epoll_wait`.
///
/// An actor that names the loop as its executor shares the thread with every other actor on it: their calls of
/// each other need no thread change, and what a C library calls back on this thread may enter them with
/// `assumeIsolated`. A handler runs to its end before anything else does, so it must never block.
///
/// The thread lives until ``stop()``; a loop that is not stopped lives as long as the process.
public final class EventLoop: SerialExecutor, Sendable {
    /// The name of the loop and (its first 15 bytes) of its thread.
    public let name: String

    let inbox: Inbox
    private let pipe: WakePipe
    private let joining = Lock()
    // Read and written inside `joining` only.
    private nonisolated(unsafe) var thread: pthread_t?
    // All belong to the loop's thread: the public methods that reach them check that they run on it. After its
    // end a short-lived thread may take its place; threads follow each other through the inbox's lock.
    private nonisolated(unsafe) let poller: Poller
    private nonisolated(unsafe) let timers = TimerQueue()
    private nonisolated(unsafe) var alarm: AlarmClock
    /// What was taken out of the inbox, and how much of that is done. The rounds run inside one such piece of work
    /// and go on with those behind it.
    private nonisolated(unsafe) var batch: [Inbox.Work] = []
    private nonisolated(unsafe) var done = 0
    private nonisolated(unsafe) var rounds: UInt64 = 0
    nonisolated(unsafe) var stallMonitor: StallMonitor?

    private init(name: String, isPrompt: Bool) throws(EventLoopError) {
        self.name = name
        inbox = Inbox(isPrompt: isPrompt)
        pipe = try WakePipe()
        alarm = try AlarmClock()
        poller = try Poller(wakeDescriptor: pipe.readEnd, alarmDescriptor: alarm.descriptor)
    }

    /// Starts a loop on a new thread.
    ///
    /// - Parameters:
    ///   - name: What the thread is called.
    ///   - isPrompt: Whether nothing may block it: ``isOnPromptThread`` is true on its thread.
    /// - Throws: `EventLoopError` if the system gives no pipe, no timer or no thread.
    public static func start(name: String, isPrompt: Bool = false) throws(EventLoopError) -> EventLoop {
        let loop = try EventLoop(name: name, isPrompt: isPrompt)
        let rounds = Rounds(loop: loop)
        Task(executorPreference: loop) { await rounds.run() }
        let thread = try LoopThread.spawn(name: name) { loop.run() }
        loop.joining.withLock { loop.thread = thread }
        return loop
    }

    /// Ends the thread and waits for its end; the work that waits is done first, watches and timers are dropped.
    ///
    /// Does nothing the second time. Must not be called on the loop itself. Work that comes later (the last job
    /// of a task, for example) still runs, on a short-lived thread, so that no task waits for ever.
    public func stop() {
        precondition(!isIsolated, "The event loop \(name) cannot wait for its own end")
        if inbox.requestStop() { pipe.wake() }
        joining.withLock {
            guard let thread else { return }
            pthread_join(thread, nil)
            self.thread = nil
        }
    }

    /// Hands a closure to the loop: after all work handed over before it, soon, never at once.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        add(.closure(work))
    }

    /// Waits for a descriptor; on the loop's thread only.
    ///
    /// The handler is called for every round in which the descriptor is ready (level-triggered). A descriptor
    /// may have several watches.
    public func watch(
        _ descriptor: CInt, for interest: Interest, handler: @escaping (Readiness) -> Void
    ) -> Watch {
        preconditionIsolated()
        let watch = Watch(descriptor: descriptor, interest: interest, poller: poller, handler: handler)
        poller.add(watch)
        return watch
    }

    /// Calls a handler once, `delay` from now and never early; on the loop's thread only.
    ///
    /// Timers with the same deadline fire in the order in which they were scheduled. The time in which the machine
    /// is suspended counts: what ran out meanwhile fires when it wakes. With a delay of zero the handler runs in
    /// the loop's next round.
    public func schedule(after delay: Duration, handler: @escaping () -> Void) -> LoopTimer {
        preconditionIsolated()
        return timers.schedule(at: Self.now + delay, handler: handler)
    }

    /// Which round it is: what comes between two waits has the same number; on the loop's thread only.
    public var round: UInt64 {
        preconditionIsolated()
        return rounds
    }

    func add(_ work: Inbox.Work) {
        switch inbox.add(work) {
        case .nothing:
            return
        case .wake:
            pipe.wake()
        case .spawn:
            do {
                let late = try LoopThread.spawn(name: name) { self.runLateWork() }
                pthread_detach(late)
            } catch {
                inbox.abandonSpawn()
            }
        }
    }

    private func run() {
        inbox.claimThread()
        // The rounds are in there: in the first job, or in what it leads to.
        repeat { runWork() } while !inbox.isStopRequested
        poller.removeAll()
        timers.removeAll()
        repeat { runWork() } while !inbox.releaseThread()
    }

    /// Waits and works until the loop is asked to stop.
    fileprivate func runRounds() {
        // What came together with the rounds is taken out of the inbox already: sleep does not see it there.
        runWork()
        repeat {
            poller.wait(prepareToSleep()) { byPipe, byAlarm in
                inbox.endWait()
                rounds += 1
                if byPipe { pipe.drain() }
                if byAlarm { alarm.rang() }
                stallMonitor?.check()
            }
            timers.fireDue(at: Self.now)
            runWork()
        } while !inbox.isStopRequested
    }

    private func runLateWork() {
        inbox.claimThread()
        repeat { runWork() } while !inbox.releaseThread()
    }

    /// Runs what waits, and what that leads to, but looks at the descriptors again after a number of batches.
    private func runWork() {
        var batches = 32
        while let work = nextWork(&batches) {
            switch work {
            case .job(let job):
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            case .closure(let closure): closure()
            }
        }
    }

    /// Takes the next piece of work; nil if none waits, or `batches` have been done.
    private func nextWork(_ batches: inout Int) -> Inbox.Work? {
        if done == batch.count {
            if done > 0 {
                batch.removeAll(keepingCapacity: true)
                done = 0
            }
            guard batches > 0, inbox.take(into: &batch) else { return nil }
            batches -= 1
        }
        defer { done += 1 }
        return batch[done]
    }

    /// Sets the alarm for the next timer; false if there is something to do already.
    private func prepareToSleep() -> Bool {
        guard inbox.prepareToWait() else { return false }
        guard let earliest = timers.earliest else { return true }
        guard earliest > Self.now else { return false }
        alarm.set(notAfter: earliest)
        return true
    }
}

/// Runs a loop's rounds as a job on the loop itself.
///
/// So Swift knows for every handler on which executor it runs, and `assumeIsolated` compares two pointers. Called
/// from a bare thread, it would first look for the main executor and then ask the loop: six times as long, a dozen
/// times for each notification.
private actor Rounds {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    func run() { loop.runRounds() }
}
