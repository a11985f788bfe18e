import Messages
import Testing

@testable import MQTT

@Suite("Outbox")
struct OutboxTests {
    @Test("Nothing is sent without a connection")
    func offline() {
        let bench = OutboxBench(window: nil)
        bench.publish(.state("s", [1]), .event("e", [1]), .stream("x", [1]))
        #expect(!bench.publish(.reply(to: "r", correlation: nil, [1])))
        #expect(bench.sent() == [])
        #expect(bench.outbox.dropped.streams == 1 && bench.outbox.dropped.replies == 1)
        #expect(bench.outbox.dropped.events == 0)
    }

    @Test("A connect sends the newest value of every state in order of first use, then the events")
    func connect() {
        let bench = OutboxBench(window: nil)
        bench.publish(
            .event("e", "1".utf8), .state("b", "old".utf8), .state("a", "1".utf8), .state("b", "new".utf8),
            .event("e", "2".utf8))
        bench.connect()
        #expect(bench.sent() == ["b=new!r", "a=1!r", "e=1!", "e=2!"])
    }

    @Test("While connected, states and events keep the order in which they were published")
    func order() {
        let bench = OutboxBench()
        bench.publish(
            .state("mode", "app".utf8), .event("button", "home".utf8), .state("mode", "wait".utf8),
            .event("button", "power".utf8))
        #expect(bench.sent() == ["mode=wait!r", "button=home!", "button=power!"])
        bench.publish(.state("mode", "pause".utf8), .event("button", "x".utf8))
        #expect(bench.sent() == ["mode=pause!r", "button=x!"])
    }

    @Test("The window limits unacknowledged messages, and a waiting state is replaced by its newest value")
    func window() {
        let bench = OutboxBench(window: 2)
        for value in 1...4 { bench.publish(.event("e", "\(value)".utf8)) }
        for value in 1...4 { bench.publish(.state("s", "\(value)".utf8)) }
        #expect(bench.sent() == ["e=1!", "e=2!"])
        #expect(bench.acknowledge(1).map { $0?.topic } == ["e"])
        #expect(bench.sent() == ["e=3!"])
        #expect(bench.acknowledge(99) == [nil])
        bench.acknowledge(2, 3)
        #expect(bench.sent() == ["e=4!", "s=4!r"])
        #expect(!bench.outbox.isDrained)
        bench.acknowledge(4, 5)
        #expect(bench.outbox.isDrained)
    }

    @Test("Streams are sent despite a full window")
    func streamBesideWindow() {
        let bench = OutboxBench(window: 1)
        bench.publish(.event("e", [0x31]), .event("e", [0x32]), .stream("x", [0x31]))
        #expect(bench.sent() == ["e=1!", "x=1"])
    }

    @Test("Unacknowledged messages are sent again, in order and before waiting messages")
    func reconnect() {
        let bench = OutboxBench(window: 3)
        for value in 1...5 { bench.publish(.event("e", "\(value)".utf8)) }
        #expect(bench.sent() == ["e=1!", "e=2!", "e=3!"])
        bench.acknowledge(2)
        bench.disconnect()
        bench.publish(.event("e", "6".utf8))
        #expect(bench.sent() == [])
        bench.connect()
        #expect(bench.sent() == ["e=1!", "e=3!", "e=4!", "e=5!", "e=6!"])
        #expect(bench.outbox.repeated == 2)
        #expect(bench.outbox.dropped == BrokerStatistics.Dropped())
    }

    @Test("Every state is sent again after every connect")
    func statesAgain() {
        let bench = OutboxBench()
        bench.publish(.state("a", "1".utf8), .state("b", "1".utf8))
        for round in 0..<3 {
            #expect(bench.sent() == ["a=1!r", "b=1!r"])
            if round == 1 { bench.acknowledge() }
            bench.disconnect()
            bench.connect()
        }
    }

    @Test("A removed state is sent empty until it is acknowledged, and then removed from the outbox")
    func removal() {
        let bench = OutboxBench()
        bench.publish(.state("a", "1".utf8), .removal(of: "a"))
        #expect(bench.sent() == ["a=!r"])
        bench.disconnect()
        bench.connect()
        #expect(bench.sent() == ["a=!r"])
        bench.acknowledge()
        #expect(bench.outbox.states.isEmpty)
        bench.disconnect()
        bench.connect()
        #expect(bench.sent() == [])
    }

    @Test("A released state is not sent again until it has a new value")
    func release() {
        let bench = OutboxBench()
        for topic in ["a", "b"] { bench.publish(.state(topic, "1".utf8)) }
        bench.outbox.release("a")
        #expect(bench.sent() == ["b=1!r"])
        bench.disconnect()
        bench.connect()
        #expect(bench.sent() == ["b=1!r"])
        bench.publish(.state("a", "2".utf8))
        #expect(bench.sent() == ["a=2!r"])
    }

    @Test("A value published after a removal survives the removal's acknowledgement")
    func removalOvertaken() {
        let bench = OutboxBench()
        bench.publish(.removal(of: "a"))
        #expect(bench.sent() == ["a=!r"])
        bench.publish(.state("a", "2".utf8))
        bench.acknowledge(1)
        #expect(bench.sent() == ["a=2!r"])
        bench.acknowledge(2)
        #expect(bench.outbox.states.count == 1)
    }

    @Test("A full queue of events drops and counts its oldest")
    func eventsOverflow() {
        let bench = OutboxBench(limits: .init(events: 3), window: nil)
        for value in 1...5 { bench.publish(.event("e\(value)", "x".utf8)) }
        #expect(bench.outbox.dropped.events == 2)
        #expect(bench.outbox.lastDroppedEvent == "e2")
        bench.connect()
        #expect(bench.sent() == ["e3=x!", "e4=x!", "e5=x!"])
    }

    @Test("A full queue of streams drops and counts its oldest; so does the end of the connection")
    func streamsOverflow() {
        let bench = OutboxBench(limits: .init(streams: 3))
        for value in 1...Outbox.unwrittenStreamLimit {
            bench.publish(.stream("x", "\(value)".utf8))
            _ = bench.sent()
        }
        for value in 1...5 { bench.publish(.stream("y", "\(value)".utf8)) }
        #expect(bench.sent() == [])
        #expect(bench.outbox.dropped.streams == 2)
        bench.outbox.streamsWritten(2)
        #expect(bench.outbox.canGoOn)
        #expect(bench.sent() == ["y=3", "y=4"])
        bench.disconnect()
        #expect(bench.outbox.dropped.streams == 2 + 1 + Outbox.unwrittenStreamLimit)
        #expect(bench.outbox.isDrained)
    }

    @Test("Replies are dropped with their connection, sent or not, and no event is dropped with them")
    func replies() {
        let bench = OutboxBench(window: 2)
        bench.publish(
            .reply(to: "r", correlation: [7], "1".utf8), .event("e", "1".utf8),
            .reply(to: "r", correlation: nil, "2".utf8))
        #expect(bench.sent() == ["r=1!", "e=1!"])
        #expect(bench.outbox.inFlight[1]?.queued?.outgoing.policy == .reply(correlation: [7]))
        bench.disconnect()
        bench.connect(window: 2)
        #expect(bench.sent() == ["e=1!"])
        #expect(bench.outbox.dropped.replies == 2)
    }

    @Test("Urgent messages overtake all waiting messages, in their own order")
    func urgent() {
        let bench = OutboxBench(window: 1)
        for value in 1...3 { bench.publish(.event("e", "\(value)".utf8)) }
        #expect(bench.sent() == ["e=1!"])
        var word = OutgoingMessage.state("availability", "offline".utf8)
        word.isUrgent = true
        bench.publish(word)
        bench.acknowledge(1)
        #expect(bench.sent() == ["availability=offline!r"])
        bench.acknowledge(2)
        #expect(bench.sent() == ["e=2!"])
    }

    @Test("A message that makes the broker disconnect is identified, dropped and reported; no other is lost")
    func culprit() {
        let bench = OutboxBench(window: nil)
        bench.publish(
            .state("s", "1".utf8), .event("e", "1".utf8), .event("e", "poison".utf8), .event("e", "3".utf8))
        bench.connect()
        #expect(bench.sent().count == 4)
        #expect(bench.disconnect(.blamesMessage).culprit == nil)

        bench.connect()
        var arrived: [String] = []
        search: while true {
            for sent in bench.sent() {
                if sent == "e=poison!" { break search }
                arrived.append(sent)
            }
            #expect(bench.outbox.inFlight.count == 1)
            bench.acknowledge()
        }
        #expect(arrived == ["s=1!r", "e=1!"])
        #expect(bench.disconnect(.blamesMessage).culprit == "e")

        bench.connect()
        #expect(bench.sent() == ["s=1!r"])
        bench.acknowledge()
        #expect(bench.sent() == ["e=3!"])
        #expect(bench.outbox.dropped.refused == 1)
        bench.acknowledge()
        bench.publish(.event("e", "4".utf8), .event("e", "5".utf8))
        #expect(bench.sent() == ["e=4!", "e=5!"], "afterwards the whole window is free again")
    }

    @Test("A state refused by the protocol waits for its next value")
    func outlawed() throws {
        let bench = OutboxBench()
        bench.publish(.state("s", "huge".utf8))
        let delivery = bench.outbox.next()
        bench.outbox.refused(try #require(delivery))
        bench.disconnect()
        bench.connect()
        #expect(bench.sent() == [])
        bench.publish(.state("s", "small".utf8))
        #expect(bench.sent() == ["s=small!r"])
        #expect(bench.outbox.dropped.refused == 1)
    }

    @Test("Latency counts from publishing, without the time of a missing connection")
    func latency() {
        let bench = OutboxBench(window: nil)
        bench.outbox.enqueue(.event("e", "1".utf8), at: .seconds(1))
        bench.connect(window: 10, at: .seconds(60))
        _ = bench.sent()
        #expect(bench.acknowledge(at: .seconds(61)).first??.latency == .seconds(1))
        bench.outbox.enqueue(.event("e", "2".utf8), at: .seconds(70))
        _ = bench.sent()
        #expect(bench.acknowledge(at: .seconds(72)).first??.latency == .seconds(2))
    }
}
