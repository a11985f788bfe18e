import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Sleep of the host", .serialized)
struct SleepTests {
    @Test("The host's sleep waits until the robot stands without power; nothing is resumed afterwards")
    func sleep() async throws {
        let loop = try EventLoop.start(name: "logind")
        defer { loop.stop() }
        let bench = try Bench()
        let login = try await Login(bench.bus.address, loop: loop)
        let it = try RobotBench(on: bench)
        #expect(login.count == 1)
        try it.race()
        let start = EventLoop.now
        try await login.prepareForSleep(true)
        try it.expectRest(since: start, within: .milliseconds(300), "the host is going to sleep")
        #expect(login.isReleased(within: 2000))
        print("the host may sleep after \(EventLoop.now - start)")
        #expect(try bench.ask("robot/drive/set", #"{"speed":1,"id":1}"#)["code"] == "expired")
        try bench.watcher.expect("robot/status") {
            $0.json["stopped_by"] == "suspend" && $0.json["power"] == false
        }
        try await login.prepareForSleep(false)
        try it.expectFreshStart("the host is awake")
        #expect(login.count == 2)
    }
}
