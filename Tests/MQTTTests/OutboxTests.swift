import Messages
import Testing

@testable import MQTT

@Suite("Outbox")
struct OutboxTests {
    private func connected(
        limits: Configuration.Limits = .init(), window: Int = 100
    ) -> Outbox {
        var outbox = Outbox(limits: limits)
        outbox.connected(window: window, at: .zero)
        return outbox
    }

    @Test("While there is no connection nothing leaves")
    func offline() {
        var outbox = Outbox()
        for message: OutgoingMessage in [.state("s", [1]), .event("e", [1]), .stream("x", [1])] {
            outbox.enqueue(message, at: .zero)
        }
        outbox.enqueue(.reply(to: "r", correlation: nil, [1]), at: .zero)
        let nothing = outbox.next()
        #expect(nothing == nil)
        #expect(outbox.dropped.streams == 1 && outbox.dropped.replies == 1)
        #expect(outbox.dropped.events == 0)
    }

    @Test("After a connect: the newest of every state in order of first use, then the events")
    func connect() {
        var outbox = Outbox()
        var identifier: CInt = 0
        for message: OutgoingMessage in [
            .event("e", "1".utf8), .state("b", "old".utf8), .state("a", "1".utf8), .state("b", "new".utf8),
            .event("e", "2".utf8),
        ] { outbox.enqueue(message, at: .zero) }
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["b=new!r", "a=1!r", "e=1!", "e=2!"])
    }

    @Test("While connected, states and events keep the order in which they were published")
    func order() {
        var outbox = connected()
        var identifier: CInt = 0
        for message: OutgoingMessage in [
            .state("mode", "app".utf8), .event("button", "home".utf8), .state("mode", "wait".utf8),
            .event("button", "power".utf8),
        ] {
            outbox.enqueue(message, at: .zero)
        }
        #expect(outbox.sendAll(from: &identifier) == ["mode=wait!r", "button=home!", "button=power!"])
        outbox.enqueue(.state("mode", "pause".utf8), at: .zero)
        outbox.enqueue(.event("button", "x".utf8), at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["mode=pause!r", "button=x!"])
    }

    @Test("No more than the window is unacknowledged; meanwhile the newest value of a state wins")
    func window() {
        var outbox = connected(window: 2)
        var identifier: CInt = 0
        for value in 1...4 { outbox.enqueue(.event("e", "\(value)".utf8), at: .zero) }
        for value in 1...4 { outbox.enqueue(.state("s", "\(value)".utf8), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == ["e=1!", "e=2!"])
        let done1 = outbox.acknowledged(1, at: .zero)
        #expect(done1?.topic == "e")
        #expect(outbox.sendAll(from: &identifier) == ["e=3!"])
        let done99 = outbox.acknowledged(99, at: .zero)
        #expect(done99 == nil)
        _ = outbox.acknowledged(2, at: .zero)
        _ = outbox.acknowledged(3, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["e=4!", "s=4!r"])
        #expect(!outbox.isDrained)
        _ = outbox.acknowledged(4, at: .zero)
        _ = outbox.acknowledged(5, at: .zero)
        #expect(outbox.isDrained)
    }

    @Test("Streams pass beside a full window")
    func streamBesideWindow() {
        var outbox = connected(window: 1)
        var identifier: CInt = 0
        for message in [OutgoingMessage.event("e", [0x31]), .event("e", [0x32]), .stream("x", [0x31])] {
            outbox.enqueue(message, at: .zero)
        }
        #expect(outbox.sendAll(from: &identifier) == ["e=1!", "x=1"])
    }

    @Test("What was not acknowledged is sent again, in order and before what waited")
    func reconnect() {
        var outbox = connected(window: 3)
        var identifier: CInt = 0
        for value in 1...5 { outbox.enqueue(.event("e", "\(value)".utf8), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == ["e=1!", "e=2!", "e=3!"])
        _ = outbox.acknowledged(2, at: .zero)
        _ = outbox.disconnected()
        outbox.enqueue(.event("e", "6".utf8), at: .zero)
        let nothing = outbox.next()
        #expect(nothing == nil)
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["e=1!", "e=3!", "e=4!", "e=5!", "e=6!"])
        #expect(outbox.repeated == 2)
        #expect(outbox.dropped == BrokerStatistics.Dropped())
    }

    @Test("Every state comes again after every connect")
    func statesAgain() {
        var outbox = connected()
        var identifier: CInt = 0
        outbox.enqueue(.state("a", "1".utf8), at: .zero)
        outbox.enqueue(.state("b", "1".utf8), at: .zero)
        for round in 0..<3 {
            #expect(outbox.sendAll(from: &identifier) == ["a=1!r", "b=1!r"])
            if round == 1 { _ = outbox.acknowledged(identifier, at: .zero) }
            _ = outbox.disconnected()
            outbox.connected(window: 100, at: .zero)
        }
    }

    @Test("A removed state is sent empty until it is acknowledged, and then forgotten")
    func removal() {
        var outbox = connected()
        var identifier: CInt = 0
        outbox.enqueue(.state("a", "1".utf8), at: .zero)
        outbox.enqueue(.removal(of: "a"), at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["a=!r"])
        _ = outbox.disconnected()
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["a=!r"])
        _ = outbox.acknowledged(identifier, at: .zero)
        #expect(outbox.states.isEmpty)
        _ = outbox.disconnected()
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == [])
    }

    @Test("A state that is let go is not sent any more, until it has a new value")
    func release() {
        var outbox = connected()
        var identifier: CInt = 0
        for topic in ["a", "b"] { outbox.enqueue(.state(topic, "1".utf8), at: .zero) }
        outbox.release("a")
        #expect(outbox.sendAll(from: &identifier) == ["b=1!r"])
        _ = outbox.disconnected()
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["b=1!r"])
        outbox.enqueue(.state("a", "2".utf8), at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["a=2!r"])
    }

    @Test("A value that follows a removal survives the removal's acknowledgement")
    func removalOvertaken() {
        var outbox = connected()
        var identifier: CInt = 0
        outbox.enqueue(.removal(of: "a"), at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["a=!r"])
        outbox.enqueue(.state("a", "2".utf8), at: .zero)
        _ = outbox.acknowledged(1, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["a=2!r"])
        _ = outbox.acknowledged(2, at: .zero)
        #expect(outbox.states.count == 1)
    }

    @Test("A full queue of events loses its oldest, and counts it")
    func eventsOverflow() {
        var outbox = Outbox(limits: .init(events: 3))
        var identifier: CInt = 0
        for value in 1...5 { outbox.enqueue(.event("e\(value)", "x".utf8), at: .zero) }
        #expect(outbox.dropped.events == 2)
        #expect(outbox.lastDroppedEvent == "e2")
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["e3=x!", "e4=x!", "e5=x!"])
    }

    @Test("A full queue of streams loses its oldest, and counts it; so does the end of the connection")
    func streamsOverflow() {
        var outbox = connected(limits: .init(streams: 3))
        var identifier: CInt = 0
        for value in 1...Outbox.unwrittenStreamLimit {
            outbox.enqueue(.stream("x", "\(value)".utf8), at: .zero)
            _ = outbox.sendAll(from: &identifier)
        }
        for value in 1...5 { outbox.enqueue(.stream("y", "\(value)".utf8), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == [])
        #expect(outbox.dropped.streams == 2)
        outbox.streamsWritten(2)
        #expect(outbox.canGoOn)
        #expect(outbox.sendAll(from: &identifier) == ["y=3", "y=4"])
        _ = outbox.disconnected()
        #expect(outbox.dropped.streams == 2 + 1 + Outbox.unwrittenStreamLimit)
        #expect(outbox.isDrained)
    }

    @Test("Replies die with their connection, sent or not, and take no event with them")
    func replies() {
        var outbox = connected(window: 2)
        var identifier: CInt = 0
        outbox.enqueue(.reply(to: "r", correlation: [7], "1".utf8), at: .zero)
        outbox.enqueue(.event("e", "1".utf8), at: .zero)
        outbox.enqueue(.reply(to: "r", correlation: nil, "2".utf8), at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["r=1!", "e=1!"])
        #expect(outbox.inFlight[1]?.correlationData == [7])
        _ = outbox.disconnected()
        outbox.connected(window: 2, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["e=1!"])
        #expect(outbox.dropped.replies == 2)
    }

    @Test("Urgent messages overtake everything that waits, in their own order")
    func urgent() {
        var outbox = connected(window: 1)
        var identifier: CInt = 0
        for value in 1...3 { outbox.enqueue(.event("e", "\(value)".utf8), at: .zero) }
        #expect(outbox.sendAll(from: &identifier) == ["e=1!"])
        var word = OutgoingMessage.state("availability", "offline".utf8)
        word.isUrgent = true
        outbox.enqueue(word, at: .zero)
        _ = outbox.acknowledged(1, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["availability=offline!r"])
        _ = outbox.acknowledged(2, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["e=2!"])
    }

    @Test("A message over which the broker hangs up is found, given up and named; no other is lost")
    func culprit() {
        var outbox = Outbox()
        var identifier: CInt = 0
        for message: OutgoingMessage in [
            .state("s", "1".utf8), .event("e", "1".utf8), .event("e", "poison".utf8), .event("e", "3".utf8),
        ] { outbox.enqueue(message, at: .zero) }
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier).count == 4)
        let nobody = outbox.disconnected(.blamesMessage, at: .zero).culprit
        #expect(nobody == nil)

        outbox.connected(window: 100, at: .zero)
        var arrived: [String] = []
        search: while true {
            for sent in outbox.sendAll(from: &identifier) {
                if sent == "e=poison!" { break search }
                arrived.append(sent)
            }
            #expect(outbox.inFlight.count == 1)
            _ = outbox.acknowledged(identifier, at: .zero)
        }
        #expect(arrived == ["s=1!r", "e=1!"])
        let blamed = outbox.disconnected(.blamesMessage, at: .zero).culprit
        #expect(blamed == "e")

        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["s=1!r"])
        _ = outbox.acknowledged(identifier, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["e=3!"])
        #expect(outbox.dropped.refused == 1)
        _ = outbox.acknowledged(identifier, at: .zero)
        outbox.enqueue(.event("e", "4".utf8), at: .zero)
        outbox.enqueue(.event("e", "5".utf8), at: .zero)
        #expect(
            outbox.sendAll(from: &identifier) == ["e=4!", "e=5!"], "afterwards the whole window is free again"
        )
    }

    @Test("A state that was refused by the protocol waits for its next value")
    func outlawed() throws {
        var outbox = connected()
        var identifier: CInt = 0
        outbox.enqueue(.state("s", "huge".utf8), at: .zero)
        let delivery = outbox.next()
        outbox.refused(try #require(delivery))
        _ = outbox.disconnected()
        outbox.connected(window: 100, at: .zero)
        #expect(outbox.sendAll(from: &identifier) == [])
        outbox.enqueue(.state("s", "small".utf8), at: .zero)
        #expect(outbox.sendAll(from: &identifier) == ["s=small!r"])
        #expect(outbox.dropped.refused == 1)
    }

    @Test("Latency counts from publishing, but not the time without a broker")
    func latency() {
        var outbox = Outbox()
        var identifier: CInt = 0
        outbox.enqueue(.event("e", "1".utf8), at: .seconds(1))
        outbox.connected(window: 10, at: .seconds(60))
        _ = outbox.sendAll(from: &identifier)
        let done1 = outbox.acknowledged(1, at: .seconds(61))
        #expect(done1?.latency == .seconds(1))
        outbox.enqueue(.event("e", "2".utf8), at: .seconds(70))
        _ = outbox.sendAll(from: &identifier)
        let done2 = outbox.acknowledged(2, at: .seconds(72))
        #expect(done2?.latency == .seconds(2))
    }
}
