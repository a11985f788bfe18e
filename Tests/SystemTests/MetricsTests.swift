import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

@Suite("Metrics for Prometheus", .serialized)
struct MetricsTests {
    /// The metrics of the page, with their form checked: a name, quoted labels, and a number.
    private func figures(_ port: UInt16) throws -> [String: Double] {
        let answer = try LoopbackSocket.get("/metrics", port: port)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        let page = try #require(parts.count == 2 ? parts[1] : nil)
        #expect(page.hasSuffix("\n"))
        var figures: [String: Double] = [:]
        for line in page.split(separator: "\n") where !line.hasPrefix("# ") {
            let match = try #require(
                try #/([a-z_]+(?:\{(?:[a-z_]+="[^"]*",?)+\})?) (\S+)/#.wholeMatch(in: line), "\(line)")
            let name = String(match.output.1)
            #expect(figures[name] == nil, "\(name) stands twice")
            let value = try #require(Double(String(match.output.2)), "\(line)")
            figures[name] = value
        }
        return figures
    }

    @Test("The running bridge serves metrics of its activity, its devices and their state")
    func scrape() throws {
        let port = try TestBroker.freePort()
        let bench = try Bench.withBelt(
            environment: ["TACTILE_BRIDGE_METRICS_LISTEN": "127.0.0.1:\(port)"])
        try bench.expectOpenRobot()
        _ = try bench.ask("belt/intensity/set", "60")
        _ = try bench.ask("belt/intensity/set", "400")
        let belt = #"{device="belt",family="belt""#
        let first = try figures(port)
        #expect(first["tactile_bridge_broker_connected"] == 1)
        #expect(first["tactile_bridge_bluetooth_adapters"] == 1)
        #expect(first["tactile_bridge_device_connected\(belt)}"] == 1)
        #expect(first["tactile_bridge_device_links_total\(belt)}"] == 1)
        #expect(first[#"tactile_bridge_device_commands_total\#(belt),result="ok"}"#] == 1)
        #expect(first[#"tactile_bridge_device_commands_total\#(belt),result="failed"}"#] == 1)
        #expect(first[#"tactile_bridge_command_seconds_count{family="belt"}"#] == 1)
        #expect(try #require(first["tactile_bridge_mqtt_acknowledgement_seconds_count"]) > 10)
        #expect(
            first["tactile_bridge_mqtt_acknowledgement_seconds_count"]
                == first["tactile_bridge_mqtt_acknowledged_messages_total"])
        #expect((first["tactile_bridge_echo_seconds_count"] ?? 0) > 5)
        try expectDocumented(first)
        let pid = try #require(bench.bridge?.pid)
        let memory = try #require(TestProcess.memory(of: pid))
        let told = try #require(first["process_resident_memory_bytes"])
        #expect((0.5...2).contains(told / Double(memory.resident)))
        #expect(try #require(first["process_open_fds"]) > 5)
        _ = try bench.ask("belt/intensity/set", "50")
        for page in ["/livez", "/readyz"] {
            #expect(try LoopbackSocket.get(page, port: port).hasSuffix("\r\n\r\nok\n"))
        }
        let second = try figures(port)
        #expect(second[#"tactile_bridge_command_seconds_count{family="belt"}"#] == 2)

        bench.broker.kill()
        try #require(bench.bridge).expectLine("broker lost", within: .seconds(20))
        #expect(try figures(port)["tactile_bridge_broker_connected"] == 0)
        #expect(try LoopbackSocket.get("/livez", port: port).hasPrefix("HTTP/1.1 200 "))
        let ready = try LoopbackSocket.get("/readyz", port: port)
        #expect(ready.hasPrefix("HTTP/1.1 503 ") && ready.contains("\nno connection to the broker\n"))
        try bench.endBridge(with: 15)
        #expect(throws: TestProcess.Failure.self) { try LoopbackSocket(port: port) }
    }

    @Test("A family of a device file is counted from the reload that adds it to the reload that removes it")
    func deviceFile() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let port = try TestBroker.freePort()
        let bench = try Bench()
        let folder = bench.folder.file("devices")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try bench.startSimulator(
            scenario: "devices: { bracelet: { kind: file, file: \(root)/config/scenarios/bracelet.yaml } }")
        try bench.startBridge(environment: [
            "TACTILE_BRIDGE_METRICS_LISTEN": "127.0.0.1:\(port)", "TACTILE_BRIDGE_DEVICES_DIRECTORY": folder,
        ])
        try bench.watcher.expect("bridge/test/availability", "online")
        #expect(!(try figures(port)).keys.contains { $0.contains("bracelet") })

        try FileManager.default.copyItem(
            atPath: "\(root)/config/scenarios/bracelet.yaml", toPath: "\(folder)/bracelet.yaml")
        #expect(try bench.ask("bridge/test/request/reload", "")["families"]?["added"] == ["bracelet"])
        try bench.watcher.expectAll(
            ["bracelet/availability": "online"], within: .seconds(20), fromStart: true)
        _ = try bench.ask("bracelet/motor/set", "20")
        _ = try bench.ask("bracelet/motor/set", "400")
        try bench.act("bracelet notify button 01")
        try bench.watcher.expect("bracelet/button")
        let labels = #"{device="bracelet",family="bracelet""#
        let first = try figures(port)
        #expect(first["tactile_bridge_device_connected\(labels)}"] == 1)
        #expect(first["tactile_bridge_device_links_total\(labels)}"] == 1)
        #expect(first["tactile_bridge_device_notifications_total\(labels)}"] == 1)
        #expect(first[#"tactile_bridge_device_commands_total\#(labels),result="ok"}"#] == 1)
        #expect(first[#"tactile_bridge_device_commands_total\#(labels),result="failed"}"#] == 1)
        #expect(first[#"tactile_bridge_device_messages_total\#(labels),kind="event"}"#] == 1)
        #expect(first[#"tactile_bridge_command_seconds_count{family="bracelet"}"#] == 1)
        try expectDocumented(first)

        try FileManager.default.removeItem(atPath: "\(folder)/bracelet.yaml")
        #expect(try bench.ask("bridge/test/request/reload", "")["families"]?["removed"] == ["bracelet"])
        try bench.watcher.expectAll(
            ["bracelet/availability": ""], within: .seconds(20), fromStart: true)
        let left = try figures(port).keys.filter { $0.contains("device=\"bracelet\"") }
        #expect(left == [])
    }

    /// Requires that docs/reference/metrics.md lists each metric with the names of its labels.
    private func expectDocumented(_ figures: [String: Double]) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "docs/reference/metrics.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for figure in figures.keys {
            let name = figure.prefix { $0 != "{" }
            let family = name.replacing(#/_(bucket|sum|count)$/#, with: "")
            let row = rows.first {
                $0.hasPrefix("| `\(name)` |") || $0.hasPrefix("| `\(family)` | histogram |")
            }
            let labels = figure.matches(of: #/([a-z_]+)="/#).map(\.output.1)
            for label in labels {
                #expect(row?.contains("`\(label)`") == true, "\(figure): \(row ?? "not in the page")")
            }
            #expect(row != nil, "\(figure)")
        }
    }

    @Test("If the port is in use, the log reports it and the bridge continues")
    func busy() throws {
        let bench = try Bench.withBelt(
            environment: ["TACTILE_BRIDGE_METRICS_LISTEN": "127.0.0.1:\(try takenPort())"])
        #expect(try bench.ask("belt/intensity/set", "60")["status"] == "ok")
        try #require(bench.bridge).expectLine("Address already in use")
    }

    /// A port on which a broker listens while the test's process runs.
    private func takenPort() throws -> UInt16 { try Self.other.get().port }
    private static let other = Result { try TestBroker() }
}
