import BridgeContract
import DeviceKit
package import EventLoop
import Glibc
package import Logging

/// The port `Guardian` over a second process: starts it, tells it the wills, starts another if it dies or
/// hangs.
///
/// What is to be told waits here in its newest form, device by device, if the process does not read.
package actor ProcessGuardian: Guardian {
    /// What the process is to know of a device.
    enum Entry: Hashable, Sendable {
        case keep(LinkWill)
        case carryOut(LinkWill)

        var will: LinkWill {
            switch self {
            case .keep(let will), .carryOut(let will): will
            }
        }

        var message: GuardianMessage {
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

    var process: ChildProcess?
    var watch: Watch?
    var incoming = LineBuffer()
    /// The wills that hold, and those that are being carried out.
    var entries: [String: Entry] = [:]
    /// The devices of which the process does not know the newest, in the order in which that changed.
    var untold: [String] = []
    /// The names of adapters that the bridge owns, each with the process's sign.
    var claims: [String: String] = [:]
    /// The names of which the process does not know the newest.
    var untoldClaims: [String] = []
    /// The names for which the process stands in the queue.
    var queued: Set<String> = []
    /// The names that it has left.
    var left: Set<String> = []
    /// The rest of what was begun to be sent.
    var outgoing: ArraySlice<UInt8> = []
    var heartbeat: GuardianHeartbeat?
    var heartbeatTimer: LoopTimer?
    /// The number of the newest ping.
    var lastPing: UInt64 = 0
    var dueMessage: GuardianMessage?
    /// The devices of which the process is known to have the will.
    var proof = WillProof()
    /// Why no process runs that can write over the bus; nil while one does.
    private(set) var lossReason: String? = "it has not answered yet"
    private var failures = 0
    var isReady = false
    private(set) var isEnding = false
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// Those who wait until something has changed.
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// The bridge's, which is called on the loop.
    private(set) var handler: (@Sendable (GuardianEvent) -> Void)?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ options: GuardianOptions, loop: EventLoop, logger: Logger) {
        self.options = options
        self.loop = loop
        self.logger = logger
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

    nonisolated func onEvent(_ handler: @escaping @Sendable (GuardianEvent) -> Void) {
        perform { guardian in
            guardian.handler = handler
            handler(guardian.lossReason.map { .lost(reason: $0) } ?? .running)
        }
    }

    /// Notes what the process is to know of a device, and tells it.
    func enter(_ entry: Entry?, for device: String) {
        entries[device] = entry
        if case .keep = entry { proof.keep(device) } else { proof.forget(device) }
        watchOver()
        guard !isEnding, process != nil else { return }
        if proof.needsPing { askForProof() }
        if !untold.contains(device) { untold.append(device) }
        send()
    }

    package func start() {
        guard !isEnding else { return }
        do {
            let process = try ChildProcess.spawnSelf(options.arguments)
            self.process = process
            outgoing = []
            incoming = LineBuffer()
            untold = entries.keys.sorted()
            untoldClaims = claims.keys.sorted()
            restartProof()
            watch = loop.watch(process.line, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.lineIsReady(readiness) }
            }
            logger.info("guardian started", metadata: ["pid": "\(process.pid)"])
            watchOver()
            if proof.needsPing { askForProof() }
            send()
        } catch {
            failures += 1
            let reason = "it cannot be started: \(error)"
            // Tried again for as long as it takes.
            logger.log(
                level: reason == lossReason ? .debug : .error,
                "no guardian: robots take nothing that moves them, and if the bridge dies, the devices are not stopped",
                metadata: ["reason": "\(error)"])
            lost(reason)
            startLater()
        }
    }

    /// Says goodbye and waits until the process has ended. The devices are safe and nothing is to be written,
    /// but for those that were handed over: with these the process goes on after the bridge.
    package func end() async {
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

    // MARK: The process

    /// Notes that no process has the wills, and tells the bridge.
    private func lost(_ reason: String) {
        lossReason = reason
        handler?(.lost(reason: reason))
    }

    /// Notes that the process can write over the bus, and tells the bridge.
    func processIsAble() {
        guard lossReason != nil else { return }
        lossReason = nil
        handler?(.running)
    }

    /// Notes that the process runs and can write nothing: that is as good as none. Another one would fare no better.
    func processIsUnable() {
        restartProof()
        let reason = "it cannot reach the D-Bus daemon, as the log lines with part=guardian tell"
        guard lossReason != reason else { return }
        logger.warning(
            "the guardian cannot reach the bus: it stops no device, and robots take nothing that moves them")
        lost(reason)
    }

    /// What the process has said of the wills before counts no more.
    private func restartProof() {
        proof.restart(with: entries.compactMap { if case .keep = $1 { $0 } else { nil } })
    }

    func processIsGone(_ process: ChildProcess, _ words: Logger.Message) {
        watch?.cancel()
        watch = nil
        self.process = nil
        process.closeLine()
        reap(process)
        (isReady, heartbeat, queued) = (false, nil, [])
        proof = WillProof()
        wakeWaiters()
        guard !isEnding else { return finishEnd() }
        logger.warning(words, metadata: ["pid": "\(process.pid)"])
        lost("it is gone, and another one has not answered yet")
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
}
