import BridgeCore
import DeviceKit
import EventLoop
import Glibc
import Logging

/// The port `Guardian` over a second process: starts it, tells it the wills, starts another if it dies or hangs.
///
/// What is to be told waits here in its newest form, device by device, if the process does not read.
actor ProcessGuardian: Guardian {
    /// What the process is to know of a device.
    enum Entry: Hashable, Sendable {
        case keep(LinkWill)
        case carryOut(LinkWill)

        var will: LinkWill {
            switch self {
            case .keep(let will), .carryOut(let will): will
            }
        }

        fileprivate var message: GuardianMessage {
            switch self {
            case .keep(let will): .keep(will)
            case .carryOut(let will): .carryOut(will)
            }
        }
    }

    /// How long the process may take for its end; one that was handed devices goes on alone.
    private static let endTime = Duration.seconds(1)

    let loop: EventLoop
    let options: GuardianOptions
    let logger: Logger

    private var process: ChildProcess?
    private var watch: Watch?
    private var incoming = LineBuffer()
    /// The wills that hold, and those that are being carried out.
    private(set) var entries: [String: Entry] = [:]
    /// The devices of which the process does not know the newest, in the order in which that changed.
    private var untold: [String] = []
    /// The rest of what was begun to be sent.
    private var outgoing: ArraySlice<UInt8> = []
    private var heartbeat: GuardianHeartbeat?
    private var heartbeatTimer: LoopTimer?
    private var dueMessage: GuardianMessage?
    private var failures = 0
    private var isReady = false
    private var isEnding = false
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// Those who wait until something has changed.
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private let stream: AsyncStream<GuardianEvent>
    private let streamInput: AsyncStream<GuardianEvent>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ options: GuardianOptions, loop: EventLoop, logger: Logger) {
        self.options = options
        self.loop = loop
        self.logger = logger
        (stream, streamInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    nonisolated func keep(_ will: LinkWill) {
        perform { $0.enter(.keep(will), for: will.device) }
    }

    nonisolated func release(device: String) {
        perform { $0.enter(nil, for: device) }
    }

    nonisolated func carryOut(device: String) {
        perform { guardian in
            guard let entry = guardian.entries[device] else { return }
            guardian.enter(.carryOut(entry.will), for: device)
        }
    }

    func events() async -> AsyncStream<GuardianEvent> { stream }

    /// Notes what the process is to know of a device, and tells it.
    func enter(_ entry: Entry?, for device: String) {
        entries[device] = entry
        watchOver()
        guard !isEnding, process != nil else { return }
        if !untold.contains(device) { untold.append(device) }
        send()
    }

    /// Starts the process.
    func start() {
        guard !isEnding else { return }
        do {
            let process = try ChildProcess.spawnSelf(options.arguments)
            self.process = process
            outgoing = []
            incoming = LineBuffer()
            untold = entries.keys.sorted()
            watch = loop.watch(process.line, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.lineIsReady(readiness) }
            }
            logger.info("guardian started", metadata: ["pid": "\(process.pid)"])
            watchOver()
            send()
        } catch {
            failures += 1
            logger.error(
                "no guardian: should the bridge die, nobody stops the devices",
                metadata: ["reason": "\(error)"])
            startLater()
        }
    }

    /// Says goodbye and waits until the process has ended. The devices are safe and nothing is to be written, but for
    /// those that were handed over: with these the process goes on after the bridge.
    func end() async {
        isEnding = true
        heartbeatTimer?.cancel()
        guard process != nil else { return }
        dueMessage = .goodbye
        send()
        await withCheckedContinuation { continuation in
            guard process != nil else { return continuation.resume() }
            endWaiter = continuation
            _ = loop.schedule(after: Self.endTime) { [weak self] in
                self?.assumeIsolated { $0.finishEnd() }
            }
        }
    }

    private nonisolated func perform(_ work: @escaping @Sendable (isolated ProcessGuardian) -> Void) {
        if loop.isIsolated {
            assumeIsolated(work)
        } else {
            loop.execute { self.assumeIsolated(work) }
        }
    }

    // MARK: The line

    private func send() {
        guard let process else { return }
        while true {
            if outgoing.isEmpty, !untold.isEmpty {
                let device = untold.removeFirst()
                let message = entries[device].map(\.message) ?? .release(device: device)
                outgoing = message.line[...]
            } else if outgoing.isEmpty, let message = dueMessage {
                // Behind all else: an answer then says that everything was read.
                dueMessage = nil
                outgoing = message.line[...]
            }
            guard !outgoing.isEmpty else { break }
            let count = outgoing.withUnsafeBytes {
                Glibc.send(process.line, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                outgoing = outgoing.dropFirst(count)
            } else if errno != EINTR {
                // Full: the watch tells when there is room again. Broken: it tells that the process is gone.
                break
            }
        }
        watch?.interest = outgoing.isEmpty ? .readable : [.readable, .writable]
    }

    private func lineIsReady(_ readiness: Readiness) {
        guard let process else { return }
        guard receive(from: process) else {
            return processIsGone(process, "the guardian is gone; another is started")
        }
        if readiness.contains(.writable) { send() }
    }

    /// Takes what the process has said; false if it has ended.
    private func receive(from process: ChildProcess) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(process.line, &bytes, bytes.count)
            if count > 0 {
                for line in incoming.append(bytes[..<count]) { take(line) }
            } else if count == 0 || errno != EINTR {
                return count < 0 && errno == EAGAIN
            }
        }
    }

    private func take(_ line: String) {
        switch GuardianReply(line) {
        case .ready:
            isReady = true
            wakeWaiters()
        case .pong(let number):
            heartbeat?.answered(number, at: EventLoop.now)
            armHeartbeat()
        case .confirmed(let device): streamInput.yield(GuardianEvent(device: device, .confirmed))
        case .unconfirmed(let device): streamInput.yield(GuardianEvent(device: device, .unconfirmed))
        case .finished(let device):
            if case .carryOut = entries[device] { entries[device] = nil }
            watchOver()
            wakeWaiters()
        case nil: logger.error("the guardian says what means nothing", metadata: ["line": "\(line.prefix(80))"])
        }
    }

    private func processIsGone(_ process: ChildProcess, _ words: Logger.Message) {
        watch?.cancel()
        watch = nil
        self.process = nil
        process.closeLine()
        reap(process)
        (isReady, heartbeat) = (false, nil)
        guard !isEnding else { return finishEnd() }
        logger.warning(words, metadata: ["pid": "\(process.pid)"])
        failures = EventLoop.now - process.start < .seconds(5) ? failures + 1 : 0
        startLater()
    }

    /// The first time at once; one that does not come up at all is not started in a tight circle.
    private func startLater() {
        let delay: Duration =
            failures < 2 ? .zero : min(.milliseconds(100) * (1 << min(failures, 8)), .seconds(10))
        _ = loop.schedule(after: delay) { [weak self] in self?.assumeIsolated { $0.start() } }
    }

    /// Its end of the line closes a moment before it can be waited for.
    private func reap(_ process: ChildProcess) {
        guard !process.reap() else { return }
        _ = loop.schedule(after: .milliseconds(20)) { [weak self] in
            self?.assumeIsolated { $0.reap(process) }
        }
    }

    private func finishEnd() {
        endWaiter?.resume()
        endWaiter = nil
    }

    // MARK: Whether it is there

    /// Pings the process while there is a will to be lost.
    private func watchOver() {
        guard process != nil, !isEnding, !entries.isEmpty else {
            heartbeat = nil
            heartbeatTimer?.cancel()
            return
        }
        guard heartbeat == nil else { return }
        heartbeat = GuardianHeartbeat(at: EventLoop.now)
        armHeartbeat()
    }

    private func armHeartbeat() {
        heartbeatTimer?.cancel()
        guard let next = heartbeat?.nextCheck else { return }
        heartbeatTimer = loop.schedule(after: next - EventLoop.now) { [weak self] in
            self?.assumeIsolated { $0.checkHeartbeat() }
        }
    }

    private func checkHeartbeat() {
        // An answer may lie in the line unread: then it was the bridge that stood still.
        guard let process, receive(from: process), heartbeat != nil else { return }
        switch heartbeat?.check(at: EventLoop.now) {
        case .ping(let number):
            dueMessage = .ping(number)
            send()
        case .replace:
            // Not by a signal that it could sleep through; and before the line is closed, which would mean to it that
            // the bridge is dead.
            process.kill()
            return processIsGone(process, "the guardian does not answer: it is killed, and another is started")
        case .wait, nil: break
        }
        armHeartbeat()
    }

    // MARK: Waiting

    /// Waits until the process has the lock.
    ///
    /// - Returns: Whether it has, within a time.
    func isReady(within time: Duration) async -> Bool {
        await wait(time) { $0.isReady }
    }

    /// Waits until nothing is carried out any more.
    ///
    /// - Returns: Whether that is so, within a time.
    func isDone(within time: Duration) async -> Bool {
        await wait(time) { guardian in
            !guardian.entries.values.contains { if case .carryOut = $0 { true } else { false } }
        }
    }

    private func wait(_ time: Duration, until isSo: (isolated ProcessGuardian) -> Bool) async -> Bool {
        let timer = loop.schedule(after: time) { [weak self] in self?.assumeIsolated { $0.wakeWaiters() } }
        defer { timer.cancel() }
        let end = EventLoop.now + time
        while !isSo(self), EventLoop.now < end {
            await withCheckedContinuation { continuation in
                guard !isSo(self) else { return continuation.resume() }
                waiters.append(continuation)
            }
        }
        return isSo(self)
    }

    private func wakeWaiters() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }
}
