import BridgeCore
import EventLoop
import Glibc
import Logging

/// The port `Guardian` over a second process: starts it, tells it the wills, starts another if it dies.
///
/// What is to be told waits here in its newest form, device by device, if the process does not read.
actor ProcessGuardian: Guardian {
    private let loop: EventLoop
    private let options: GuardianOptions
    private let logger: Logger

    private var process: ChildProcess?
    private var watch: Watch?
    /// The wills that hold.
    private var wills: [String: LinkWill] = [:]
    /// The devices of which the process does not know the newest, in the order in which that changed.
    private var untold: [String] = []
    /// The rest of what was begun to be sent.
    private var outgoing: ArraySlice<UInt8> = []
    private var failures = 0
    private var isEnding = false
    private var endWaiter: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ options: GuardianOptions, loop: EventLoop, logger: Logger) {
        self.options = options
        self.loop = loop
        self.logger = logger
    }

    nonisolated func keep(_ will: LinkWill) {
        perform { guardian in
            guardian.wills[will.device] = will
            guardian.tell(will.device)
        }
    }

    nonisolated func release(device: String) {
        perform { guardian in
            guardian.wills[device] = nil
            guardian.tell(device)
        }
    }

    /// Starts the process.
    func start() {
        guard !isEnding else { return }
        do {
            let process = try ChildProcess.spawnSelf(options.arguments)
            self.process = process
            outgoing = []
            untold = wills.keys.sorted()
            watch = loop.watch(process.line, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.lineIsReady(readiness) }
            }
            logger.info("guardian started", metadata: ["pid": "\(process.pid)"])
            send()
        } catch {
            failures += 1
            logger.error(
                "no guardian: should the bridge die, nobody stops the devices",
                metadata: ["reason": "\(error)"])
            startLater()
        }
    }

    /// Says goodbye and waits until the process has ended: the devices are safe and nothing is to be written.
    func end() async {
        isEnding = true
        guard process != nil else { return }
        untold = []
        outgoing += GuardianMessage.goodbye.line
        send()
        await withCheckedContinuation { continuation in
            endWaiter = continuation
            _ = loop.schedule(after: .seconds(1)) { [weak self] in
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

    private func tell(_ device: String) {
        guard !isEnding, process != nil else { return }
        if !untold.contains(device) { untold.append(device) }
        send()
    }

    private func send() {
        guard let process else { return }
        while true {
            if outgoing.isEmpty, !untold.isEmpty {
                let device = untold.removeFirst()
                let message = wills[device].map { GuardianMessage.keep($0) } ?? .release(device: device)
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
        // The process never speaks: readable means that it is gone.
        guard readiness.isDisjoint(with: [.readable, .hungUp, .failed]) else { return processIsGone(process) }
        send()
    }

    private func processIsGone(_ process: ChildProcess) {
        watch?.cancel()
        watch = nil
        self.process = nil
        process.closeLine()
        reap(process)
        guard !isEnding else { return finishEnd() }
        logger.warning("the guardian is gone; another is started", metadata: ["pid": "\(process.pid)"])
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
