import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

/// A console connected to a bench's broker, with a page of one line.
final class ConsoleBench {
    let bench: Bench
    let port: UInt16
    let program: Program
    private let environment: [String: String]
    private let file: String

    /// The folder of the project's page.
    static var page: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "console").path
    }

    /// - Parameters:
    ///   - console: The settings of its section in addition to the address.
    ///   - configuration: The other sections.
    ///   - page: The folder of its page; nil for a page of one line.
    ///   - socket: The path of the Unix socket that it listens on instead of a port.
    ///   - port: The port of a console that has ended; a free one if nil.
    init(
        _ bench: Bench, console: String = "", configuration: String = "", page: String? = nil,
        socket: String? = nil, port: UInt16? = nil, environment: [String: String] = [:]
    ) throws {
        self.bench = bench
        self.port = try port ?? TestBroker.freePort()
        let folder = bench.folder.file("page")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try bench.folder.write("<!doctype html><p>the page\n", to: "page/index.html")
        let address = socket ?? "127.0.0.1:\(self.port)"
        file = try bench.folder.write(
            "console: { listen: \"\(address)\"\(console.isEmpty ? "" : ", \(console)") }\n\(configuration)",
            to: "console.yaml")
        self.environment = [
            "TACTILE_BRIDGE_BRIDGE_ID": "test", "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
            "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
            "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": bench.folder.file("state"),
        ].merging(environment) { $1 }
        program = try Program(
            "tactile-bridge", ["console", "--config", file, "--page", page ?? folder],
            environment: self.environment, isUnprivileged: true)
        // With the broker's accounts there is no broker connection before the first login.
        let connects = !console.contains("login: broker")
        // Two threads write these lines, so their order varies.
        try program.expectLines(
            ["the console is ready"] + (connects ? ["connected to the broker"] : []), within: .seconds(15))
    }

    /// The token from the link that `tactile-bridge` prints.
    func token() throws -> String {
        let link = try TestProcess.run(
            ["env"] + environment.map { "\($0.key)=\($0.value)" }
                + ["\(Program.folder)/tactile-bridge", "console", "--link", "--config", file])
        return try String(#require(link.split(separator: "#token=").last).prefix { !$0.isWhitespace })
    }

    /// Logs in and returns the cookie.
    func login(_ body: String? = nil) throws -> String {
        let body = try body ?? "{\"token\":\"\(token())\"}"
        let answer = try ConsolePage.ask(port, "POST", "/api/login", body: body)
        #expect(answer.status == 204 && answer.headers.contains("HttpOnly; SameSite=Strict"))
        return try #require(answer.cookie)
    }

    /// Opens a WebSocket and reads its first two messages.
    func open(_ cookie: String?, headers: [String: String] = [:], room: CInt? = nil) throws -> ConsolePage {
        let page = try ConsolePage(port: port, cookie: cookie, headers: headers, room: room)
        #expect(page.status == 101)
        try page.expect("hello") { $0["type"] == "hello" }
        try page.expect("broker") { $0["type"] == "broker" && $0["connected"] == true }
        return page
    }
}
