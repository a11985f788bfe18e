import EventLoop
import Foundation
import Glibc
import HostTesting
import Logging
import ServiceLifecycle
import Testing

@testable import HostServices
@testable import MetricsEndpoint

@Suite("The metrics server, on a port of this host", .serialized, .timeLimit(.minutes(1)))
struct MetricsServerTests {
    /// Runs a server on its own loop while a test connects to it.
    private func withServer(
        limits: MetricsServer.Limits = MetricsServer.Limits(), page: String = "figures\n",
        health: [String: @Sendable () async -> [String]] = [:], port: UInt16? = nil,
        _ body: (_ port: UInt16, _ log: HostTesting.LogRecord) async throws -> Void
    ) async throws {
        let port = try port ?? TestBroker.freePort()
        let loop = try EventLoop.start(name: "metrics")
        let log = HostTesting.LogRecord()
        let address = try #require(ListenAddress("127.0.0.1:\(port)"))
        let server = MetricsServer(address, loop: loop, logger: log.logger(), limits: limits, health: health)
        { page }
        // Like in the bridge: the server needs no other thread, in particular none that a test blocks.
        let running = Task(executorPreference: loop) { try await server.run() }
        await log.wait(for: "served")
        do {
            try await body(port, log)
        } catch {
            Issue.record(error)
        }
        running.cancel()
        _ = await running.result
        loop.stop()
    }

    private func answer(_ text: String, _ port: UInt16) throws -> String {
        let socket = try LoopbackSocket(port: port)
        socket.send(text)
        return try #require(socket.readToEnd())
    }

    @Test("GET returns the page, HEAD its head; every other path and method returns the reason")
    func pages() async throws {
        try await withServer { port, _ in
            let host = "Host: x\r\n\r\n"
            let page = try answer("GET /metrics HTTP/1.1\r\n" + host, port)
            #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(page.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            #expect(page.contains("\r\nContent-Length: 8\r\n"))
            #expect(page.hasSuffix("\r\n\r\nfigures\n"))
            let head = try answer("HEAD /metrics HTTP/1.1\r\n" + host, port)
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.contains("\r\nContent-Length: 8\r\n") && head.hasSuffix("\r\n\r\n"))
            #expect(try answer("GET / HTTP/1.1\r\n" + host, port).hasPrefix("HTTP/1.1 404 "))
            let posted = try answer(
                "POST /metrics HTTP/1.1\r\nContent-Length: 100000\r\n" + host
                    + String(repeating: "x", count: 100_000),
                port)
            #expect(posted.hasPrefix("HTTP/1.1 405 ") && posted.contains("\r\nAllow: GET, HEAD\r\n"))
        }
    }

    @Test("A health page has the status 200 without problems, and 503 with each problem in a line")
    func healthPages() async throws {
        let pages: [String: @Sendable () async -> [String]] = [
            "/livez": { [] },
            "/readyz": { ["no connection to the broker", "no Bluetooth adapter is ready"] },
        ]
        try await withServer(health: pages) { port, _ in
            let alive = try answer("GET /livez HTTP/1.0\r\n\r\n", port)
            #expect(alive.hasPrefix("HTTP/1.1 200 ") && alive.hasSuffix("\r\n\r\nok\n"))
            let ready = try answer("GET /readyz HTTP/1.0\r\n\r\n", port)
            #expect(ready.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            #expect(ready.hasSuffix("\r\n\r\nno connection to the broker\nno Bluetooth adapter is ready\n"))
            let none = try answer("GET /healthz HTTP/1.0\r\n\r\n", port)
            #expect(none.hasSuffix("found /healthz; allowed: /metrics /livez /readyz\n"))
        }
    }

    @Test("A Unix socket replaces the socket of a program that has ended, and not that of a running one")
    func unixSocket() throws {
        let folder = try TemporaryDirectory()
        let address = try #require(ListenAddress(folder.file("metrics.sock")))
        let first = try address.listen()
        var status = stat()
        #expect(stat(address.description, &status) == 0 && status.st_mode & 0o777 == 0o660)
        #expect(throws: FileAccess.Failure.self) { try address.listen() }
        close(first)
        close(try address.listen())
        let file = try folder.write("mine", to: "notes")
        #expect(throws: FileAccess.Failure.self) { try ListenAddress(file)?.listen() }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    }

    @Test("A request in single bytes is accepted; invalid bytes, TLS and an endless head are rejected")
    func garbage() async throws {
        try await withServer { port, _ in
            let slow = try LoopbackSocket(port: port)
            for byte in "GET /metrics HTTP/1.0\r\n\r\n".utf8 { slow.send([byte]) }
            #expect(try #require(slow.readToEnd()).hasSuffix("figures\n"))
            #expect(try answer("\u{16}\u{3}\u{1}\u{0}", port).hasPrefix("HTTP/1.1 400 "))
            let endless = try answer("GET /" + String(repeating: "x", count: 500_000), port)
            #expect(endless.hasPrefix("HTTP/1.1 431 "))
            let gone = try LoopbackSocket(port: port)
            gone.send("GET /met")
            gone.finish()
            #expect(gone.readToEnd() == "")
            #expect(try answer("GET /metrics HTTP/1.0\r\n\r\n", port).hasSuffix("figures\n"))
        }
    }

    @Test("Silent clients are disconnected after a while, and do not block other clients for longer")
    func silence() async throws {
        var limits = MetricsServer.Limits()
        (limits.connections, limits.time) = (3, .milliseconds(300))
        try await withServer(limits: limits) { port, _ in
            _ = try answer("GET /metrics HTTP/1.0\r\n\r\n", port)
            let silent = try (0..<6).map { _ in try LoopbackSocket(port: port) }
            #expect(try answer("GET /metrics HTTP/1.0\r\n\r\n", port).hasSuffix("figures\n"))
            for socket in silent { #expect(socket.readToEnd() == "") }
        }
    }

    @Test("A client that does not read a large page blocks no other client")
    func slowReader() async throws {
        // More than the system buffers for a client that does not read.
        let page = String(repeating: "x", count: 32 << 20)
        try await withServer(page: page) { port, _ in
            let lazy = try LoopbackSocket(port: port)
            lazy.send("GET /metrics HTTP/1.0\r\n\r\n")
            #expect(try answer("HEAD /metrics HTTP/1.0\r\n\r\n", port).hasPrefix("HTTP/1.1 200 "))
            let all = try #require(lazy.readToEnd())
            #expect(all.utf8.count > page.utf8.count)
        }
    }

    @Test("If the port is in use, that is logged once, and the server listens as soon as it can")
    func busy() async throws {
        var limits = MetricsServer.Limits()
        limits.retry = .milliseconds(50)
        let address = try #require(ListenAddress("127.0.0.1:\(try TestBroker.freePort())"))
        let port = try #require(UInt16(address.description.split(separator: ":")[1]))
        let other = try address.listen()
        try await withServer(limits: limits, port: port) { port, log in
            // Several attempts happen before the port is free, at the server's interval.
            try await Task.sleep(for: .milliseconds(200))
            close(other)
            await log.wait(for: "are served")
            #expect(try answer("GET /metrics HTTP/1.0\r\n\r\n", port).hasSuffix("figures\n"))
            #expect(log.count(.error, "metrics are not served") == 1)
            #expect(log.count(.error, "") == 1)
        }
    }
}
