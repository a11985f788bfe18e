import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Access lists on the broker", .serialized)
struct AccessTests {
    private static let login = [
        "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
    ]

    /// A broker with an access list that can be changed while it runs.
    private struct Guarded {
        let bench: Bench
        let folder: TemporaryDirectory

        /// - Parameter list: The rights of the user `bridge`; anonymous clients may do everything.
        init(_ list: String) throws {
            folder = try TemporaryDirectory()
            let file = try folder.write("", to: "access")
            chmod(file, 0o600)
            try Self.write(list, folder)
            bench = try Bench(
                users: ["bridge": "secret"], brokerLines: ["allow_anonymous true", "acl_file \(file)"])
        }

        /// Replaces the access list while clients stay connected.
        func use(_ list: String) throws {
            try Self.write(list, folder)
            // Mosquitto reads its rules in its next loop turn, and only then handles further messages.
            kill(try #require(bench.broker.pid), SIGHUP)
        }

        private static func write(_ list: String, _ folder: TemporaryDirectory) throws {
            try folder.write("topic readwrite #\n\nuser bridge\n" + list, to: "access")
        }

        /// The access results and the exit status of `tactile-bridge doctor`.
        func doctor() throws -> (access: [JSON.Value], status: Int32) {
            let file = try bench.configure(
                "devices: { tank: { family: robot, address: \"C0:FF:EE:00:BE:02\" } }")
            let (lines, status) = try DoctorTests.run(
                bench, ["doctor", "--json", "--config", file], AccessTests.login)
            return (lines.filter { $0["check"] == "access" }, status)
        }
    }

    @Test("Doctor reports that an older list lacks the echo topic, and prints the missing line")
    func echo() throws {
        let before =
            ["availability", "info", "doctor", "request/+", "response/+", "event", "stats"]
            .map { "topic readwrite bridge/test/\($0)\n" }.joined()
            + "topic readwrite tank/#\ntopic read all/#\n"
        let it = try Guarded(before)
        let found = try it.doctor()
        let problem = try #require(found.access.first)
        #expect(problem["verdict"] == "problem" && found.status == 1, "\(found)")
        #expect(problem["summary"]?.string?.contains("bridge/test/echo do not come back") == true)
        let lines = problem["remedies"]?.array?.compactMap(\.string) ?? []
        #expect(lines.dropFirst().first?.hasPrefix("topic read bridge/+/echo ") == true)
        let line = try #require(lines.first?.split(separator: "#").first)
        try it.use(before + line.trimmingCharacters(in: .whitespaces) + "\n")
        #expect(try it.doctor().access.map { $0["verdict"] } == ["ok"])
    }

    @Test(
        "The list that acl writes allows all that doctor requires, including the echo and each stop of a robot"
    )
    func written() throws {
        let it = try Guarded("")
        let file = try it.bench.configure(
            "devices: { tank: { family: robot, address: \"C0:FF:EE:00:BE:02\" } }")
        let text = try TestProcess.run(
            [
                "env", "TACTILE_BRIDGE_BRIDGE_ID=test", "\(Program.folder)/tactile-bridge", "acl", "--role",
                "bridge", "--user", "bridge", "--config", file,
            ])
        #expect(text.contains("topic readwrite bridge/test/echo\n"))
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("user ") }.dropFirst()
        try it.use(lines.joined(separator: "\n") + "\n")
        #expect(try it.doctor().access.map { $0["verdict"] } == ["ok"])
    }
}
