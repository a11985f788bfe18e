import BridgeTesting
import EventLoop
import HostTesting
import Logging
import Testing

@testable import Guardian
@testable import HostServices

@Suite("The guardian of an earlier bridge")
struct PredecessorTests {
    @Test("Without a running guardian and a way to start one, the bridge does not wait")
    func none() async throws {
        let folder = try TemporaryDirectory()
        let options = GuardianOptions(
            bus: "unix:path=/nowhere", folder: folder.file(""), time: .seconds(1), logLevel: .info,
            logFormat: .text)
        let log = LogRecord()
        let loop = try EventLoop.start(name: "test")
        defer { loop.stop() }
        // Never started, like after a failed start.
        let guardian = ProcessGuardian(options, loop: loop, logger: log.logger())
        try await guardian.takeOver()
        // It logs a line if it waits.
        #expect(log.count(.notice, "the guardian of an earlier bridge") == 0)
    }
}
