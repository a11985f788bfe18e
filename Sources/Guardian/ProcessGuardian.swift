import BridgeContract
import DeviceKit
package import EventLoop
import Glibc
package import Logging

/// Implements the protocol `Guardian` with a second process (``GuardianProcess``). Starts the process, sends it the
/// wills of the devices, and replaces it if it dies or hangs.
///
/// If the process does not read, only the newest message for each device is queued.
package actor ProcessGuardian: Guardian {
    /// What the guardian process must know about a device.
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

    /// How long the bridge waits at its end until the process exits. A process that still works on devices continues
    /// without the bridge.
    private static let endTime = Duration.seconds(1)

    let loop: EventLoop
    let options: GuardianOptions
    let logger: Logger

    var process: ChildProcess?
    var watch: Watch?
    var incoming = LineBuffer()
    /// The current wills, and the wills that are being carried out, by device.
    var entries: [String: Entry] = [:]
    /// The devices whose changes were not yet sent to the process, in the order of the changes.
    var untold: [String] = []
    /// The adapters' names that the bridge owns, each with the additional name of the guardian process.
    var claims: [String: String] = [:]
    /// The adapters' names whose changes were not yet sent to the process.
    var untoldClaims: [String] = []
    /// The adapters' names for which the process is in the queue.
    var queued: Set<String> = []
    /// The adapters' names whose queue the process has left.
    var left: Set<String> = []
    /// The part of a message that the socket has not yet accepted.
    var outgoing: ArraySlice<UInt8> = []
    var heartbeat: GuardianHeartbeat?
    var heartbeatTimer: LoopTimer?
    var lastPing: UInt64 = 0
    var dueMessage: GuardianMessage?
    /// The devices whose wills the process is proven to have.
    var proof = WillProof()
    /// The reason why no process can write over the bus; nil if a process can.
    private(set) var lossReason: String? = "the guardian has not answered yet"
    private var failures = 0
    var isReady = false
    private(set) var isEnding = false
    private var endWaiter: CheckedContinuation<Void, Never>?
    /// The callers that wait until the state of the process changes.
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// The bridge's handler of guardian events, called on the event loop.
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

    /// Sets the state of a device that the process must know, and sends the state to the process.
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
            let reason = "the guardian cannot be started: \(error)"
            // There is no limit to the number of attempts to start the process.
            logger.log(
                level: reason == lossReason ? .debug : .error,
                "no guardian: robots refuse motion commands, and if the bridge crashes, its devices are not stopped",
                metadata: ["reason": "\(error)"])
            lost(reason)
            startLater()
        }
    }

    /// Sends a goodbye and waits until the process has ended. The devices are safe and need no writes, except for
    /// devices that were handed over. The process continues to work on these devices after the bridge has exited.
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

    // MARK: Process

    /// Records that no process has the wills, and informs the bridge.
    private func lost(_ reason: String) {
        lossReason = reason
        handler?(.lost(reason: reason))
    }

    /// Records that the process can write over the bus, and informs the bridge.
    func processIsAble() {
        guard lossReason != nil else { return }
        lossReason = nil
        handler?(.running)
    }

    /// Records that the process is running but cannot write over the bus, so that no device is guarded. The process is
    /// not replaced, because a new process would have the same problem.
    func processIsUnable() {
        restartProof()
        let reason = "the guardian cannot connect to D-Bus, see the log lines with part=guardian"
        guard lossReason != reason else { return }
        logger.warning(
            "the guardian cannot connect to D-Bus: it cannot stop devices, and robots refuse motion commands")
        lost(reason)
    }

    /// Discards the proofs that the process has the devices' wills, because a new process has none.
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
        lost("the guardian has exited, and the new guardian has not answered yet")
        failures = EventLoop.now - process.start < .seconds(5) ? failures + 1 : 0
        startLater()
    }

    /// Starts another process: immediately at first, and with growing delays if the process keeps failing.
    private func startLater() {
        let delay: Duration =
            failures < 2 ? .zero : min(.milliseconds(100) * (1 << min(failures, 8)), .seconds(10))
        _ = loop.schedule(after: delay) { [weak self] in self?.assumeIsolated { $0.start() } }
    }

    /// Reads the exit status of a process. A process closes its end of the socket a moment before its exit status is
    /// available.
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
