import Glibc

/// Runs actors, descriptors and timers on one dedicated thread that waits in `epoll_wait`.
///
/// An actor with the loop as its executor shares the thread with all other actors on the loop: calls between them need
/// no thread change. Callbacks of a C library on this thread may enter these actors with `assumeIsolated`. Each handler
/// runs to completion before the next one, so a handler must never block.
///
/// The thread exists until ``stop()``; a loop that is not stopped exists as long as the process.
public final class EventLoop: SerialExecutor, Sendable {
    /// The name of the loop; its first 15 bytes are the name of the thread.
    public let name: String

    let inbox: Inbox
    private let pipe: WakePipe
    private let joining = Lock()
    // This is safe because `thread` is accessed only while the lock `joining` is held.
    private nonisolated(unsafe) var thread: pthread_t?
    // The following properties are used only on the loop's thread; the public methods that use the properties check
    // this. After the end of the loop's thread a short-lived thread may take its place. The inbox's lock ensures that
    // only one of the two threads runs at a time.
    private nonisolated(unsafe) let poller: Poller
    private nonisolated(unsafe) let timers = TimerQueue()
    private nonisolated(unsafe) var alarm: AlarmClock
    /// The work that was taken from the inbox; `done` is the number of its items that were started. One item is the job
    /// that runs all rounds of the loop. That job starts the items after it.
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
    ///   - name: The name of the thread.
    ///   - isPrompt: Whether the thread must not block: ``isOnPromptThread`` is true on it.
    /// - Throws: `EventLoopError` if the system provides no pipe, no timer or no thread.
    public static func start(name: String, isPrompt: Bool = false) throws(EventLoopError) -> EventLoop {
        let loop = try EventLoop(name: name, isPrompt: isPrompt)
        let rounds = Rounds(loop: loop)
        Task(executorPreference: loop) { await rounds.run() }
        let thread = try LoopThread.spawn(name: name) { loop.run() }
        loop.joining.withLock { loop.thread = thread }
        return loop
    }

    /// Stops the thread and waits for its end. Pending work is completed first; watches and timers are dropped.
    ///
    /// A second call does nothing. Must not be called on the loop's thread. Work that is added later, such as the last
    /// job of a task, runs on a short-lived thread, so that no task waits forever.
    public func stop() {
        precondition(!isIsolated, "The event loop \(name) cannot wait for its own end")
        if inbox.requestStop() { pipe.wake() }
        joining.withLock {
            guard let thread else { return }
            pthread_join(thread, nil)
            self.thread = nil
        }
    }

    /// Enqueues a closure on the loop: it runs after all earlier work, and never inside this call.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        add(.closure(work))
    }

    /// Watches a descriptor. Must be called on the loop's thread.
    ///
    /// The handler is called in every round in which the descriptor is ready (level-triggered). A descriptor may have
    /// several watches.
    public func watch(
        _ descriptor: CInt, for interest: Interest, handler: @escaping (Readiness) -> Void
    ) -> Watch {
        preconditionIsolated()
        let watch = Watch(descriptor: descriptor, interest: interest, poller: poller, handler: handler)
        poller.add(watch)
        return watch
    }

    /// Calls a handler once, after `delay` and never early. Must be called on the loop's thread.
    ///
    /// Timers with the same deadline fire in the order in which they were scheduled. Time in suspend counts: a timer
    /// that expired during suspend fires at wake-up. With a delay of zero the handler runs in the loop's next round.
    public func schedule(after delay: Duration, handler: @escaping () -> Void) -> LoopTimer {
        preconditionIsolated()
        return timers.schedule(at: Self.now + delay, handler: handler)
    }

    /// The number of the current round: all work between two waits has the same number. Must be used on the loop's
    /// thread.
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
        // The rounds of the loop (``Rounds``) run inside `runWork`: in the first job, or in a job that the first job
        // enqueues.
        repeat { runWork() } while !inbox.isStopRequested
        poller.removeAll()
        timers.removeAll()
        repeat { runWork() } while !inbox.releaseThread()
    }

    /// Waits for descriptors and timers, and runs work, until the loop is asked to stop.
    fileprivate func runRounds() {
        // Work in the same batch as the job that runs the rounds is no longer in the inbox, so the check before a sleep
        // would miss it.
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

    /// Runs pending work and the work that results from it. Returns after a number of batches, so that descriptors are
    /// not delayed.
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

    /// Returns the next piece of work; nil if there is none, or if `batches` have been completed.
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

    /// Sets the alarm for the next timer; returns false if there is already work to do.
    private func prepareToSleep() -> Bool {
        guard inbox.prepareToWait() else { return false }
        guard let earliest = timers.earliest else { return true }
        guard earliest > Self.now else { return false }
        alarm.set(notAfter: earliest)
        return true
    }
}

/// Runs the rounds of a loop inside an actor on the loop.
///
/// So the Swift runtime knows the executor of every handler, and `assumeIsolated` only compares two pointers. On a
/// thread without a current executor, the runtime would look for the main executor and then call the loop. That would
/// take six times as long, and it would happen a dozen times for each notification.
private actor Rounds {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    func run() { loop.runRounds() }
}
