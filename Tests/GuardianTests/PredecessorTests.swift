import BridgeTesting
import EventLoop
import HostTesting
import Logging
import Testing

@testable import Guardian
@testable import HostServices

@Suite("The guardian of the bridge before")
struct PredecessorTests {
    @Test("Where no guardian can be started, and none is left, the bridge waits for none")
    func none() async throws {
        let folder = try TemporaryDirectory()
        let options = GuardianOptions(
            bus: "unix:path=/nowhere", folder: folder.file(""), time: .seconds(1), logLevel: .info,
            logFormat: .text)
        let log = LogRecord()
        let loop = try EventLoop.start(name: "test")
        defer { loop.stop() }
        // Never started, as after a start that failed.
        let guardian = ProcessGuardian(options, loop: loop, logger: log.logger())
        try await guardian.takeOver()
        // It says so when it waits.
        #expect(log.count(.notice, "an earlier bridge's guardian") == 0)
    }
}
