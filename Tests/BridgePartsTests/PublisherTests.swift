import Bluetooth
import BridgeTesting
import Claims
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Publisher of a device")
struct PublisherTests {
    private static let date = TimeStamp(milliseconds: 1_000_000)

    private func publisher(latchReport: String? = nil, speaks: Bool = true) -> Publisher {
        var publisher = Publisher(
            Topics(bridge: "attic", baseTopic: ""), name: "sample", address: BridgeSettings.sample,
            outlet: Outlet(SampleFamily().features), latchReport: latchReport, isConfigured: true)
        if speaks { _ = publisher.ownership.linked(.none) }
        return publisher
    }

    private func publish(
        _ publisher: inout Publisher, _ feature: String, _ value: JSON.Value
    ) throws -> Publisher.Publication? {
        try publisher.publish(feature, value, at: Self.date)
    }

    private func text(_ publication: Publisher.Publication?) -> String? {
        publication.map {
            "\($0.message.topic) \(String(decoding: $0.message.payload, as: UTF8.self))"
        }
    }

    // MARK: Single values

    @Test("A state is published when it changes, and reports a new topic once")
    func state() throws {
        var publisher = publisher()
        let first = try publish(&publisher, "level", 5)
        #expect(text(first) == "sample/level 5" && first?.isNewTopic == true)
        #expect(try publish(&publisher, "level", 5) == nil)
        let second = try publish(&publisher, "level", 6)
        #expect(text(second) == "sample/level 6" && second?.isNewTopic == false)
        #expect(second?.message.policy == .state)
    }

    @Test("An event has the time and a number per topic, a stream only its value")
    func event() throws {
        var publisher = publisher()
        for number in 1...2 {
            let event = try publish(&publisher, "pressed", ["button": 3])
            #expect(
                text(event)
                    == #"sample/pressed {"button":3,"time":"\#(Self.date)","seq":\#(number)}"#)
            #expect(event?.message.policy == .event && event?.isNewTopic == false)
        }
        let stream = try publish(&publisher, "motion", ["x": 4])
        #expect(text(stream) == #"sample/motion {"x":4}"# && stream?.message.policy == .stream)
    }

    @Test("An undeclared feature, and an event that is not an object, are refused")
    func refused() {
        var publisher = publisher()
        #expect(throws: Publisher.Failure.undeclared) { try publish(&publisher, "nothing", 1) }
        #expect(throws: Publisher.Failure.eventWithoutObject) { try publish(&publisher, "pressed", 1) }
    }

    @Test("A state is withdrawn once")
    func withdraw() throws {
        var publisher = publisher()
        _ = try publish(&publisher, "level", 5)
        #expect(text(publisher.withdraw("level")) == "sample/level ")
        #expect(publisher.withdraw("level") == nil)
    }

    // MARK: Ownership

    @Test("While the owner of the topics is unknown, states are kept, and events and streams are not")
    func unknown() throws {
        var publisher = publisher(speaks: false)
        #expect(try publish(&publisher, "level", 5) == nil)
        #expect(publisher.publish(.availability, "online") == nil)
        #expect(try publish(&publisher, "pressed", ["button": 3]) == nil)
        #expect(try publish(&publisher, "motion", ["x": 4]) == nil)
        _ = publisher.ownership.linked(.none)
        #expect(publisher.republish().compactMap(text) == ["sample/availability online", "sample/level 5"])
    }

    @Test("All states are repeated at most three times in ten seconds")
    func repetition() throws {
        var publisher = publisher()
        _ = try publish(&publisher, "level", 5)
        for second in 1...3 {
            guard case .now(let messages) = publisher.repeatAll(at: .seconds(second)) else {
                Issue.record("not said at \(second) s")
                continue
            }
            #expect(messages.compactMap(text) == ["sample/level 5"])
        }
        #expect(publisher.repeatAll(at: .seconds(4)) == .later(.seconds(11)))
        _ = publisher.ownership.unlinked(.none, at: .zero)
        _ = publisher.heard(Claim(bridge: "cellar", epoch: 9, state: .linked), .all(.alive), at: .zero)
        #expect(publisher.repeatAll(at: .seconds(12)) == .none)
    }

    @Test(
        "A claim is published when it changed and all retained claims have arrived, and a proved link raises its epoch"
    )
    func claimed() {
        func said(_ publisher: inout Publisher, again: Bool = false) -> String? {
            guard let said = publisher.ownership.said else { return nil }
            let claim = Claim(bridge: "attic", epoch: said.epoch, state: said.state)
            return text(publisher.publish(ClaimMessage(claim: claim), isRepeated: again))
        }
        func claim(_ epoch: Int, _ state: String) -> String {
            #"claim/aabbcca1b2c3 {"v":1,"bridge":"attic","epoch":\#(epoch),"state":"\#(state)"}"#
        }
        var publisher = publisher()
        #expect(said(&publisher) == nil)
        _ = publisher.ownership.settle(.none, isLinked: true, at: .zero)
        #expect(said(&publisher) == claim(1, "linked"))
        #expect(said(&publisher) == nil)
        #expect(said(&publisher, again: true) == claim(1, "linked"))
        let alive = Neighbors(life: { _ in .alive }, online: { ["cellar"] })
        let other = Claim(bridge: "cellar", epoch: 7, state: .linked)
        #expect(publisher.heard(other, alive, at: .zero) == .prove)
        #expect(publisher.claimant == "cellar")
        #expect(publisher.ownership.contested == other)
        #expect(publisher.ownership.proved(since: "2026", at: .zero) == .republishAgain)
        #expect(said(&publisher) == claim(8, "linked"))
        _ = publisher.ownership.unlinked(alive, at: .zero)
        #expect(said(&publisher) == claim(8, "released"))
        #expect(publisher.outgoing == ["claim/aabbcca1b2c3"])
    }

    @Test("The last claim is not cleared when another device gets the name")
    func lastWord() {
        var publisher = publisher()
        _ = publisher.ownership.settle(.none, isLinked: true, at: .zero)
        _ = publisher.ownership.unlinked(.none, at: .zero)
        let claim = Claim(bridge: "attic", epoch: 1, state: .released)
        _ = publisher.publish(ClaimMessage(claim: claim), isRepeated: false)
        let rival = NameRival(
            address: "AA:BB:CC:00:00:01",
            claim: Claim(bridge: "cellar", epoch: 1, state: .linked, isConfigured: true))
        #expect(publisher.heard(rival, .all(.alive), isLinked: false) == .yield)
        #expect(publisher.release() == [] && publisher.hasClaim)
        #expect(publisher.releaseClaim() == "claim/aabbcca1b2c3" && !publisher.hasClaim)
    }

    // MARK: Topics

    @Test("The published topics are cleared, or left to another bridge, once")
    func clear() throws {
        var publisher = publisher()
        _ = try publish(&publisher, "level", 5)
        _ = publisher.publish(.availability, "online")
        var other = publisher
        let cleared = publisher.clear()
        #expect(cleared.messages.compactMap(text) == ["sample/availability ", "sample/level "])
        #expect(Set(cleared.topics) == ["sample/availability", "sample/level"])
        #expect(publisher.clear().topics.isEmpty)
        #expect(Set(other.release()) == ["sample/availability", "sample/level"])
        #expect(other.release().isEmpty)
        // The broker receives them as new topics.
        #expect(other.republish().allSatisfy { $0.isNewTopic })
    }

    @Test("After a rename all states are new and events count from 1")
    func rename() throws {
        var publisher = publisher()
        _ = try publish(&publisher, "level", 5)
        _ = try publish(&publisher, "pressed", ["button": 3])
        publisher.rename("other")
        #expect(publisher.ownership.isOurs && publisher.ownership.isConfigured)
        #expect(publisher.republish().compactMap(text) == ["other/level 5"])
        let event = try publish(&publisher, "pressed", ["button": 3])
        #expect(text(event)?.hasSuffix(#""seq":1}"#) == true)
        #expect(publisher.stateTopics.contains("other/last_seen"))
    }

    @Test("After a replacement of the state machine only the states of every device are left")
    func forget() throws {
        var publisher = publisher()
        _ = try publish(&publisher, "level", 5)
        _ = publisher.publish(.availability, "online")
        publisher.forgetDeclared()
        #expect(publisher.republish().compactMap(text) == ["sample/availability online"])
    }

    // MARK: Retained emergency stop

    @Test("The state that reports an emergency stop waits until the retained messages have arrived")
    func recall() throws {
        var publisher = publisher(latchReport: "mode")
        #expect(publisher.beginRecall() == "sample/mode")
        #expect(publisher.beginRecall() == nil)
        #expect(try publish(&publisher, "mode", ["mode": "slow"]) == nil)
        #expect(try publish(&publisher, "level", 5) != nil)
        #expect(publisher.recalled("mode", Array(#"{"mode":"fast"}"#.utf8)) == ["mode": "fast"])
        #expect(publisher.recalled("level", Array("5".utf8)) == nil)
        #expect(publisher.recalled("mode", Array("{".utf8)) == nil)
        #expect(publisher.endRecall() == "sample/mode")
        #expect(publisher.endRecall() == nil)
        #expect(text(publisher.publishRecalled()) == #"sample/mode {"mode":"slow"}"#)
        #expect(publisher.recalled("mode", Array("{}".utf8)) == nil)
    }

    @Test("A device without an emergency stop recalls nothing")
    func noRecall() {
        var publisher = publisher()
        #expect(publisher.beginRecall() == nil && publisher.recalledTopic == nil && !publisher.isRecalling)
    }
}
