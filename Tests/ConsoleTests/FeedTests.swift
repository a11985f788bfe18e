import Console
import DeviceKit
import JSON
import Testing

@Suite("The messages that wait for a page")
struct FeedTests {
    private func delivery(_ topic: String, _ payload: String, _ kind: Report.Kind) -> Delivery {
        Delivery(topic, Array(payload.utf8), kind)
    }

    private func batch(_ feed: inout TabFeed, _ time: Duration = .seconds(1)) throws -> JSON.Value {
        let bytes = feed.batch(at: time)
        return try JSON.Value(parsing: #require(bytes))
    }

    @Test("The newest value of a state or a stream waits, and every event, in order")
    func conflated() throws {
        var feed = TabFeed()
        for number in 1...50 {
            feed.add(delivery("belt/heading", "\(number)", .stream))
            feed.add(delivery("belt/battery", "\(100 - number)", .state))
            if number % 10 == 0 { feed.add(delivery("belt/button", "\(number)", .event)) }
        }
        let messages = try batch(&feed)["messages"]
        let events: [JSON.Value] = [10, 20, 30, 40, 50].map { ["belt/button", .string("\($0)"), "e"] }
        #expect(messages == .array([["belt/heading", "50", "x"], ["belt/battery", "50", "s"]] + events))
        #expect(feed.isEmpty && feed.batch(at: .seconds(2)) == nil)
    }

    @Test("Batches are 50 ms apart")
    func apart() {
        var feed = TabFeed()
        #expect(feed.due(at: .seconds(1)) == nil)
        feed.add(delivery("a", "1", .stream))
        _ = feed.batch(at: .seconds(1))
        #expect(feed.due(at: .seconds(1) + .milliseconds(49)) == .seconds(1) + .milliseconds(50))
        #expect(feed.due(at: .seconds(1) + .milliseconds(50)) == nil)
    }

    @Test("Of more than 1,000 events, or a megabyte of them, the oldest are dropped and counted once")
    func dropped() throws {
        var feed = TabFeed()
        for number in 1...3000 { feed.add(delivery("tap/tapped", "\(number)", .event)) }
        let first = try batch(&feed)
        #expect(first["dropped"] == 2000 && first["messages"]?.array?.first == ["tap/tapped", "2001", "e"])
        for _ in 1...30 { feed.add(delivery("log", String(repeating: "x", count: 100_000), .event)) }
        let second = try batch(&feed)
        #expect(second["dropped"] == 20)
    }

    @Test("Messages above the size of a batch are in the next batches, complete", arguments: [3, 300, 3000])
    func parts(count: Int) throws {
        var feed = TabFeed()
        for number in 0..<count {
            feed.add(delivery("d/\(number)/info", String(repeating: "i", count: 1000), .state))
        }
        var seen: [JSON.Value] = []
        while let bytes = feed.batch(at: .seconds(1)) {
            #expect(bytes.count < 300 << 10)
            seen += try JSON.Value(parsing: bytes)["messages"]?.array ?? []
            // A state that changes in the meantime is in a batch only once.
            if seen.count < count { feed.add(delivery("d/\(count - 1)/info", "new", .state)) }
        }
        #expect(Set(seen.compactMap { $0.array?.first?.string }).count == count)
        if count == 3000 { #expect(seen.last == [.string("d/2999/info"), "new", "s"]) }
    }

    @Test("Messages of topics that a page no longer watches are dropped")
    func kept() throws {
        var feed = TabFeed()
        for topic in ["a/x", "b/x"] {
            feed.add(delivery(topic, "1", .state))
            feed.add(delivery(topic, "2", .event))
        }
        feed.keep { $0.hasPrefix("b") }
        #expect(try batch(&feed)["messages"] == [["b/x", "1", "s"], ["b/x", "2", "e"]])
    }

    @Test("The memory of states keeps the newest state, and removes a cleared one")
    func memory() {
        var memory = StateMemory()
        memory.note(delivery("a", "1", .state))
        memory.note(delivery("a", "2", .state))
        memory.note(delivery("b", "1", .state))
        memory.note(delivery("b", "", .state))
        #expect(
            memory.states { _ in true }.map(\.topic) == ["a"]
                && memory[topic: "a"]?.payload == Array("2".utf8))
        for number in 0..<40_000 { memory.note(delivery("t/\(number)", "1", .state)) }
        #expect(memory.states { _ in true }.count == 20_000)
        memory.keep { $0 == "a" }
        #expect(memory.states { _ in true }.count == 1)
    }
}
