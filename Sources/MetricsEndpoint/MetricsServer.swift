package import EventLoop
import Glibc
package import HostServices
package import Logging
import ServiceLifecycle

/// Serves the metrics and the health over HTTP, for Prometheus, orchestrators and `curl`.
///
/// The server does not use a web server library, because a few short pages do not justify a second event loop. The
/// number of connections and their duration are limited. No call blocks.
package actor MetricsServer: Service {
    package struct Limits: Sendable {
        /// The maximum number of concurrent connections. Further connections wait in the system's queue.
        var connections = 16
        /// The time limit from the start of a connection to the end of its response.
        var time = Duration.seconds(10)
        /// The time limit after the response, until the client closes the connection.
        var parting = Duration.seconds(1)
        /// The interval between attempts to listen on the address.
        var retry = Duration.seconds(10)
    }

    private struct Visitor {
        var connection: HTTPConnection
        var watch: Watch
        var deadline: LoopTimer
        /// Whether the time limit `parting` is running: the response is sent.
        var isParting = false
    }

    private let address: ListenAddress
    private let loop: EventLoop
    private let logger: Logger
    private let limits: Limits
    private let health: [String: @Sendable () async -> [String]]
    private let page: @Sendable () async -> String

    private var listener: Watch?
    private var retry: LoopTimer?
    /// The last logged reason why the server cannot listen on its address.
    private var loggedFailure: String?
    private var visitors: [Int: Visitor] = [:]
    private var visitorCount = 0
    /// The complete requests for which no page has been created yet. There is at most one request for each connection.
    private let requests: AsyncStream<(visitor: Int, request: HTTPRequest)>
    private let requestsInput: AsyncStream<(visitor: Int, request: HTTPRequest)>.Continuation

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - health: The health checks, by path. At each request, a health check returns the current problems in words;
    ///     empty if there are none.
    ///   - page: Creates the page of the metrics. Called at each request.
    package init(
        _ address: ListenAddress, loop: EventLoop, logger: Logger, limits: Limits = Limits(),
        health: [String: @Sendable () async -> [String]] = [:],
        page: @escaping @Sendable () async -> String
    ) {
        self.address = address
        self.loop = loop
        self.logger = logger
        self.limits = limits
        self.health = health
        self.page = page
        (requests, requestsInput) = AsyncStream.makeStream()
    }

    /// Serves pages until the service group shuts down. If the server cannot listen on its address, it logs the error
    /// and tries again; the bridge continues without metrics.
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
        let problems = health[request.path]
        guard request.path == "/metrics" || problems != nil else {
            let paths = ["/metrics"] + health.keys.sorted()
            return HTTPResponse(.notFound, "found \(request.path); allowed: \(paths.joined(separator: " "))")
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return HTTPResponse(.methodNotAllowed, "allowed: GET HEAD")
        }
        var response = HTTPResponse(.ok, "ok")
        if let problems = await problems?() {
            if !problems.isEmpty {
                response = HTTPResponse(.serviceUnavailable, problems.joined(separator: "\n"))
            }
        } else {
            response.type = "text/plain; version=0.0.4; charset=utf-8"
            response.text = await page()
        }
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
            logger.notice("metrics are served", metadata: ["address": "\(address.url(of: "/metrics"))"])
        } catch {
            if loggedFailure != error.description {
                logger.error(
                    "metrics are not served; another program may use the address in metrics.listen",
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
                // Descriptors or memory are exhausted. The server stops accepting connections for a while, because the
                // connections that wait in the system's queue would otherwise wake the event loop again and again.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { rest() }
                return
            }
            // Swift's module Glibc does not export accept4, which would set this flag when it accepts the connection.
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
