import BridgeTesting
import DeviceKit
import JSON
import Messages
import Synchronization
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Value types of a session and the bridge")
struct SessionValueTests {
    private func request(_ feature: String, _ payload: String = "1") -> CommandRequest {
        CommandRequest(
            IncomingMessage(topic: "sample/\(feature)/set", payload: Array(payload.utf8)), feature: feature)
    }

    // MARK: Commands

    @Test("Waiting commands keep their order, and those before a stop of the whole device are void")
    func waiting() {
        var waiting = WaitingCommands()
        #expect(waiting.add(request("level"), isStop: false) == nil)
        #expect(waiting.add(request("halt"), isStop: true) == nil)
        waiting.stopped()
        #expect(waiting.add(request("mode"), isStop: false) == nil)
        let entries = waiting.take()
        #expect(entries.map(\.request.feature) == ["level", "halt", "mode"])
        #expect(entries.map(\.isVoid) == [true, true, false])
        #expect(waiting.take().isEmpty)
    }

    @Test(
        "Waiting commands beyond the capacity are kept without their payloads, except for a stop")
    func surplus() {
        var waiting = WaitingCommands()
        for _ in 0..<WaitingCommands.capacity { _ = waiting.add(request("level"), isStop: false) }
        #expect(waiting.add(request("mode", #"{"id":7}"#), isStop: false) == nil)
        #expect(waiting.add(request("halt"), isStop: true) == nil)
        let surplus = waiting.takeSurplus()
        #expect(surplus.map(\.request.feature) == ["mode", "level"])
        #expect(surplus.map(\.id) == [7, nil])
        #expect(surplus.allSatisfy { $0.request.payload.isEmpty })
        let entries = waiting.take()
        #expect(entries.count == WaitingCommands.capacity)
        #expect(entries.last?.request.feature == "halt")
    }

    @Test("Waiting commands beyond the surplus capacity are not kept")
    func flood() {
        var waiting = WaitingCommands()
        let room = WaitingCommands.capacity + WaitingCommands.surplusCapacity
        for _ in 0..<room { #expect(waiting.add(request("level"), isStop: false) == nil) }
        #expect(waiting.add(request("mode"), isStop: false)?.feature == "mode")
    }

    @Test("An open command is closed once")
    func open() {
        var open = OpenCommands()
        let pending = PendingCommand(request: request("level"), isQuiet: false)
        let (first, second) = (open.open(pending, at: .zero), open.open(pending, at: .zero))
        #expect(open.ids == [first, second])
        #expect(open.close(first)?.request.feature == "level")
        #expect(open.close(first) == nil)
        #expect(open.count == 1)
    }

    @Test("One check of the open commands covers all, and finds the overdue ones")
    func review() {
        var open = OpenCommands()
        let pending = PendingCommand(request: request("level"), isQuiet: false)
        #expect(open.nextReview() == nil)
        let ids = (0..<3).map { open.open(pending, at: .seconds($0)) }
        let first = OpenCommands.patience
        #expect(open.nextReview() == first)
        #expect(open.nextReview() == nil)
        #expect(open.close(ids[0]) != nil)
        #expect(open.review(at: first).isEmpty)
        #expect(open.nextReview() == first + .seconds(1))
        #expect(open.review(at: first + .seconds(2)) == [ids[1], ids[2]])
        #expect(open.close(ids[1]) != nil && open.close(ids[2]) != nil)
        #expect(open.nextReview() == nil)
    }

    // MARK: Time

    @Test("An alarm calls once, at the earliest moment that was set")
    func alarm() {
        let executor = ManualExecutor()
        let time = VirtualTime(executor: executor)
        let calls = Calls()
        var alarm = Alarm()
        let start = time.now
        for seconds in [3, 2, 5] {
            alarm.set(by: start + .seconds(seconds), on: time) { calls.add("\(seconds)") }
        }
        #expect(time.callCount == 1)
        time.advance(by: .seconds(10))
        #expect(calls.all == ["2"])
        alarm.rang()
        alarm.set(by: time.now + .seconds(1), on: time) { calls.add("again") }
        alarm.cancel()
        time.advance(by: .seconds(10))
        #expect(calls.all == ["2"])
    }

    @Test(
        "Work pauses for 29 times its duration, at most three seconds",
        arguments: [(0, nil), (1, 29), (100, 2900), (5000, 3000)] as [(Int, Int?)])
    func moderation(took: Int, rest: Int?) {
        var moderation = DutyLimiter()
        let end = Duration.seconds(100)
        #expect(moderation.pause(at: end) == nil)
        moderation.took(.milliseconds(took), until: end)
        #expect(moderation.pause(at: end) == rest.map { end + .milliseconds($0) })
        #expect(moderation.pause(at: end + .seconds(3)) == nil)
    }

    // MARK: Features

    @Test("A feature table finds the features of its family by name")
    func features() {
        let family = SampleFamily()
        let table = FeatureTable(family)
        #expect(table.all.map(\.name) == family.features.map(\.name))
        for feature in family.features { #expect(table[feature.name]?.name == feature.name) }
        #expect(table["nothing"] == nil)
        #expect(table.commands == family.features.filter { $0.command != nil }.map(\.name))
        #expect(table.stops.contains("halt"))
    }
}

/// The calls, in order.
private final class Calls: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
