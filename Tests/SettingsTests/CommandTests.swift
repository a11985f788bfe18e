import Foundation
import JSON
import Testing

@Suite("The command line of the built command", .timeLimit(.minutes(1)))
struct CommandTests {
    @Test("run reads its file and the level and format of its log, and exits cleanly on TERM")
    func run() async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write(
                "c.yaml",
                """
                bridge: { state_directory: \(scope.folder)/state }
                mqtt: { host: \(scope.folder)/no-broker }
                bluetooth: { bus: "unix:path=\(scope.folder)/no-bus" }
                log: { level: error, format: text }
                """)
            let process = BuiltCommand.process(
                ["run", "--config", path, "--log-level", "debug", "--log-format", "journald"])
            let error = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = error
            try process.run()
            var said = Data()
            while case let new = error.fileHandleForReading.availableData, !new.isEmpty {
                said += new
                // A debug line: the bridge has retried what failed at its start.
                if said.range(of: Data("\n<7>".utf8)) != nil, process.isRunning { process.terminate() }
            }
            process.waitUntilExit()
            let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
            #expect(process.terminationStatus == 0)
            #expect(lines.first?.hasPrefix("<5>the bridge is starting ") == true)
            #expect(lines.first?.contains(" configuration=\(path) ") == true)
            #expect(lines.last == "<5>the bridge has stopped")
        }
    }

    @Test("check-config --json prints typed values and their origins, and hides secrets")
    func checkConfigurationAsJSON() async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write(
                "c.yaml",
                """
                bluetooth: { adapters: [hci0] }
                devices: { front: { family: belt, address: "C0:FF:EE:00:00:01", orientation_period_ms: 250 } }
                groups: { here: [front] }
                """)
            let outcome = try BuiltCommand.run(
                ["check-config", "--json", "--config", path],
                [
                    "TACTILE_BRIDGE_MQTT_KEEP_ALIVE_S": "7", "TACTILE_BRIDGE_MQTT_USERNAME": "bridge",
                    "TACTILE_BRIDGE_MQTT_PASSWORD": "geheim",
                ])
            #expect(outcome.code == 0 && outcome.error.isEmpty && !outcome.output.contains("geheim"))
            let said = try JSON.Value(parsing: Array(outcome.output.utf8))
            #expect(said["valid"] == true && said["file"]?.string == path && said["problems"] == [])
            func entry(_ path: String) -> JSON.Value? {
                said["settings"]?.array?.first { $0["path"]?.string == path }
            }
            #expect(entry("mqtt.keep_alive_s")?["value"] == 7)
            #expect(
                entry("mqtt.keep_alive_s")?["origin"]
                    == ["kind": "environment", "name": "TACTILE_BRIDGE_MQTT_KEEP_ALIVE_S"])
            #expect(
                entry("bluetooth.adapters")?["origin"]
                    == ["kind": "file", "name": .string(path), "line": 1])
            #expect(entry("bluetooth.adapters")?["value"] == ["hci0"])
            #expect(entry("devices.front")?["value"]?["orientation_period_ms"] == 250)
            #expect(entry("groups.here")?["value"] == ["front"])
            #expect(entry("bridge.stats_interval_s")?["origin"] == ["kind": "default"])
        }
    }

    @Test("check-config --json prints problems as values, and exits with status 78")
    func wrongConfigurationAsJSON() async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write("c.yaml", "mqtt:\n  port: 70000\nbluetooth:\n  join: sometimes\n")
            let outcome = try BuiltCommand.run(["check-config", "--json", "--config", path])
            #expect(outcome.code == 78 && outcome.error.isEmpty)
            let said = try JSON.Value(parsing: Array(outcome.output.utf8))
            let problems = try #require(said["problems"]?.array)
            #expect(said["valid"] == false && problems.count == 2)
            #expect(problems.first?["path"] == "mqtt.port")
            #expect(problems.first?["place"]?.string == "\(path):2:9")
            #expect(problems.first?["message"]?.string?.contains("70000") == true)

            let tab = try scope.write("t.yaml", "bridge:\n\tid: x\n")
            let refused = try BuiltCommand.run(["check-config", "--config", tab])
            #expect(refused.code == 78 && refused.error.contains("\(tab):2:1: not valid YAML: a tab"))
            #expect(refused.error.contains("tabs are not allowed"))
        }
    }

    @Test(
        "doctor uses the width of its terminal, and colors unless NO_COLOR is set", arguments: [true, false])
    func terminal(isColoured: Bool) async throws {
        try await ConfigurationScope.with { scope in
            let path = try scope.write(
                "c.yaml",
                """
                bridge: { state_directory: \(scope.folder)/state }
                mqtt: { host: \(scope.folder)/no-broker }
                bluetooth: { bus: "unix:path=\(scope.folder)/no-bus" }
                """)
            let process = BuiltCommand.process(
                ["doctor", "--config", path], isColoured ? ["TERM": "xterm"] : ["NO_COLOR": "1"])
            var (main, other) = (CInt(), CInt())
            var size = winsize(ws_row: 24, ws_col: 64, ws_xpixel: 0, ws_ypixel: 0)
            try #require(openpty(&main, &other, nil, nil, &size) == 0)
            defer { close(main) }
            let terminal = FileHandle(fileDescriptor: other, closeOnDealloc: true)
            process.standardOutput = terminal
            process.standardError = terminal
            try process.run()
            try terminal.close()
            var said: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 4096)
            // At the end of a terminal, read returns an error instead of 0.
            while case let count = read(main, &bytes, bytes.count), count > 0 { said += bytes[..<count] }
            process.waitUntilExit()
            let text = String(decoding: said, as: UTF8.self).replacing("\r\n", with: "\n")
            #expect(text.contains("\u{1B}[1;31mproblem") == isColoured, "\(text)")
            #expect(text.contains("\u{1B}") == isColoured)
            let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            let sentences = plain.split(separator: "\n").filter {
                !$0.contains("-> ") && !$0.contains(scope.folder)
            }
            #expect(sentences.count > 3 && sentences.allSatisfy { $0.count <= 64 }, "\(plain)")
        }
    }

    @Test("topics accepts a family and a format")
    func topics() throws {
        let outcome = try BuiltCommand.run(["topics", "--format", "json", "--family", "belt"])
        #expect(try JSON.Value(parsing: Array(outcome.output.utf8)).object?.members.map(\.key) == ["belt"])
    }

    @Test(
        "Invalid usage exits with status 64, and prints what is allowed and the usage of the intended command",
        arguments: [
            (
                ["run", "--log-level", "loud"], "allowed: trace debug info notice warning error critical",
                "run"
            ),
            (["run", "--log-format", "xml"], "xml", "run"), (["run", "extra"], "extra", "run"),
            (["run", "--password", "x"], "--password", "run"), (["walk"], "walk", "<subcommand>"),
            (["scn"], "there is no command scn; did you mean scan?", "<subcommand>"),
            (["fleet", "lss"], "there is no command lss; did you mean ls?", "fleet <subcommand>"),
            (["topics", "--format", "html"], "html", "topics"),
            (["topics", "--family", "none"], "none", "topics"),
            (["topics", "--family", "belts"], "did you mean belt?", "topics"),
            (["haptic", "show", "nope"], "no pattern nope", "haptic show"),
        ])
    func wrongUsage(_ arguments: [String], _ said: String, _ usage: String) throws {
        let outcome = try BuiltCommand.run(arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.error.contains(said), "\(outcome.error)")
        #expect(outcome.error.contains("Usage: tactile-bridge \(usage)"), "\(outcome.error)")
    }

    @Test(
        "Help and version exit with status 0",
        arguments: [["--help"], ["--version"], ["help"], ["topics", "--help"]])
    func clean(_ arguments: [String]) throws {
        let outcome = try BuiltCommand.run(arguments)
        #expect(outcome.code == 0 && outcome.error.isEmpty && outcome.output.contains("tactile-bridge"))
    }

    @Test("The systemd unit gives run-wills the folder and no other argument")
    func unit() async throws {
        let unit = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "deploy/systemd/tactile-bridge.service"),
            encoding: .utf8)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStopPost=") })
        let words = line.dropFirst("ExecStopPost=".count).split(separator: " ").map { String($0) }
        #expect(words == ["/usr/bin/tactile-bridge", "run-wills", "${RUNTIME_DIRECTORY}"])
        try await ConfigurationScope.with { scope in
            // An error about an invalid line of the file proves that the folder was read.
            _ = try scope.write("wills", "?\n")
            let outcome = try BuiltCommand.run(
                words.dropFirst().map { $0 == "${RUNTIME_DIRECTORY}" ? scope.folder : $0 })
            #expect(outcome.code == 0 && outcome.error.contains("invalid lines in the wills are ignored"))
        }
    }
}
