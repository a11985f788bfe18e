package import EventLoop
import Glibc
package import HostServices
package import Logging
import ServiceLifecycle

/// Serves the figures over HTTP: one page, for Prometheus and for `curl`.
///
/// Own code and not a web server's: one page needs no second event loop. So many connections at once, each for so
/// long; nothing blocks.
package actor MetricsServer: Service {
    /// What holds a connection in bounds.
    package struct Limits: Sendable {
        /// How many are served at once; more wait in the system.
        var connections = 16
        /// How long one may take.
        var time = Duration.seconds(10)
        /// How long its end may take.
        var parting = Duration.seconds(1)
        /// After which time listening is tried again.
        var retry = Duration.seconds(10)
    }

    private struct Visitor {
        var connection: HTTPConnection
        var watch: Watch
        var deadline: LoopTimer
        /// Whether its end has been given a time of its own.
        var isParting = false
    }

    private let address: ListenAddress
    private let loop: EventLoop
    private let logger: Logger
    private let limits: Limits
    private let page: @Sendable () async -> String

    private var listener: Watch?
    private var retry: LoopTimer?
    /// Why the server does not listen, as it was logged last.
    private var loggedFailure: String?
    private var visitors: [Int: Visitor] = [:]
    private var visitorCount = 0
    /// Requests that wait for the page; bounded by the visitors.
    private let requests: AsyncStream<(visitor: Int, request: HTTPRequest)>
    private let requestsInput: AsyncStream<(visitor: Int, request: HTTPRequest)>.Continuation

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter page: Makes the page anew each time it is asked for.
    package init(
        _ address: ListenAddress, loop: EventLoop, logger: Logger, limits: Limits = Limits(),
        page: @escaping @Sendable () async -> String
    ) {
        self.address = address
        self.loop = loop
        self.logger = logger
        self.limits = limits
        self.page = page
        (requests, requestsInput) = AsyncStream.makeStream()
    }

    /// Serves until the group shuts down. Where it cannot listen, that is logged, and tried again: what the bridge is
    /// there for goes on without.
    func run() async throws {
        await cancelWhenGracefulShutdown { await self.serve() }
    }

    private func serve() async {
        listen()
        for await (visitor, request) in requests { reply(await response(to: request), to: visitor) }
        retry?.cancel()
        if let listener {
            listener.cancel()
            Glibc.close(listener.descriptor)
        }
        for visitor in Array(visitors.keys) { leave(visitor) }
    }

    private func response(to request: HTTPRequest) async -> HTTPResponse {
        guard request.path == "/metrics" else {
            return HTTPResponse(.notFound, "nothing here; the figures are at /metrics")
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return HTTPResponse(.methodNotAllowed, "allowed: GET HEAD")
        }
        var response = HTTPResponse(.ok, "")
        response.type = "text/plain; version=0.0.4; charset=utf-8"
        response.text = await page()
        response.isHeadOnly = request.method == "HEAD"
        return response
    }

    // MARK: Listening

    private func listen() {
        do {
            let descriptor = try address.listen()
            listener = loop.watch(descriptor, for: .readable) { [weak self] _ in
                self?.assumeIsolated { $0.accept() }
            }
            loggedFailure = nil
            logger.notice("figures are served", metadata: ["address": "http://\(address)/metrics"])
        } catch {
            if loggedFailure != error.description {
                logger.error(
                    "figures are not served; another program may have metrics.listen",
                    metadata: ["reason": "\(error)", "retry_in_s": "\(limits.retry.components.seconds)"])
            }
            loggedFailure = error.description
            retry = loop.schedule(after: limits.retry) { [weak self] in
                self?.assumeIsolated { $0.listen() }
            }
        }
    }

    private func accept() {
        guard let listener else { return }
        while visitors.count < limits.connections {
            let descriptor = Glibc.accept(listener.descriptor, nil, nil)
            guard descriptor >= 0 else {
                // Out of descriptors or memory: what waits would wake the loop again and again.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { rest() }
                return
            }
            // Glibc's module does not have accept4, which would do it in one step.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            admit(descriptor)
        }
        listener.interest = []
    }

    private func rest() {
        listener?.interest = []
        retry = loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { $0.listener?.interest = .readable }
        }
    }

    // MARK: Visitors

    private func admit(_ descriptor: CInt) {
        visitorCount += 1
        let number = visitorCount
        let watch = loop.watch(descriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.advance(number) }
        }
        visitors[number] = Visitor(
            connection: HTTPConnection(descriptor), watch: watch, deadline: deadline(number, limits.time))
    }

    private func deadline(_ number: Int, _ time: Duration) -> LoopTimer {
        loop.schedule(after: time) { [weak self] in self?.assumeIsolated { $0.leave(number) } }
    }

    private func advance(_ number: Int) {
        guard let connection = visitors[number]?.connection else { return }
        settle(number, connection, connection.advance())
    }

    private func reply(_ response: HTTPResponse, to number: Int) {
        guard let connection = visitors[number]?.connection else { return }
        settle(number, connection, connection.answer(response))
    }

    private func settle(_ number: Int, _ connection: HTTPConnection, _ progress: HTTPConnection.Progress) {
        switch progress {
        case .ended: return leave(number)
        case .asked(let request): requestsInput.yield((number, request))
        case .waiting: break
        }
        visitors[number]?.watch.interest = connection.interest
        guard connection.isParting, visitors[number]?.isParting == false else { return }
        visitors[number]?.isParting = true
        visitors[number]?.deadline.cancel()
        visitors[number]?.deadline = deadline(number, limits.parting)
    }

    private func leave(_ number: Int) {
        guard let visitor = visitors.removeValue(forKey: number) else { return }
        visitor.watch.cancel()
        visitor.deadline.cancel()
        listener?.interest = .readable
    }
}
