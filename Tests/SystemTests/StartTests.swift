import EventLoop
import HostTesting
import Testing

@Suite("The resources that the bridge needs", .serialized)
struct StartTests {
    @Test("The bridge publishes its first message on a local broker within half a second of its start")
    func start() throws {
        let bench = try Bench()
        var times: [Duration] = []
        for _ in 0..<5 {
            let start = EventLoop.now
            try bench.startBridge()
            try bench.watcher.expect("bridge/test/availability", "online")
            times.append(EventLoop.now - start)
            try bench.endBridge(with: 15)
            try bench.watcher.expect("bridge/test/availability", "offline")
        }
        print("start to first publish: \(times.sorted()[2]) (median of \(times.count))")
        #expect(times.sorted()[2] < .milliseconds(500))
    }

    @Test("With a belt the bridge needs little private memory")
    func memory() throws {
        let bench = try Bench.withBelt()
        let memory = try #require(bench.bridge?.memory)
        print("memory with a belt: \(memory)")
        #expect(TestProcess.isSanitized || memory.own < 10_000_000)
        #expect(TestProcess.isSanitized || memory.resident < 40_000_000)
    }
}
