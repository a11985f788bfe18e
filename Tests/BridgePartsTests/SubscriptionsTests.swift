import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Subscriptions on a connection")
struct SubscriptionsTests {
    @Test("A subscription that is not granted on this connection is missing")
    func missing() {
        var subscriptions = Subscriptions()
        subscriptions.grant("a")
        subscriptions.grant("b")
        #expect(subscriptions.missing(of: ["a", "b", "c"]) == ["c"])
        subscriptions.refuse("a")
        subscriptions.forget(["b"])
        #expect(subscriptions.missing(of: ["a", "b"]) == ["a", "b"])
        subscriptions.grant("a")
        subscriptions.reset()
        #expect(subscriptions.missing(of: ["a"]) == ["a"])
    }

    @Test(
        "One marker covers all subscriptions granted in a round, and shows that their retained messages have arrived"
    )
    func marker() {
        var subscriptions = Subscriptions()
        subscriptions.askForStore()
        subscriptions.askForRoster()
        var isWanted = subscriptions.wantMarker(at: .zero)
        #expect(!isWanted)
        subscriptions.arrives(.peers)
        isWanted = subscriptions.wantMarker(at: .zero)
        #expect(isWanted)
        subscriptions.arrives(.roster)
        isWanted = subscriptions.wantMarker(at: .zero)
        #expect(!isWanted)
        let isDue = subscriptions.takeMarker(at: .zero)
        #expect(isDue)
        subscriptions.sent("echo-1", at: .zero)
        isWanted = subscriptions.wantMarker(at: .zero)
        #expect(!isWanted)
        var complete = subscriptions.returned("echo-0")
        #expect(complete.isEmpty)
        complete = subscriptions.returned("echo-1")
        #expect(complete == [.peers, .roster])
    }

    @Test("A lost marker is sent again, and covers the subscriptions granted since")
    func lostMarker() {
        var subscriptions = Subscriptions()
        subscriptions.askForStore()
        subscriptions.arrives(.peers)
        subscriptions.sent("echo-1", at: .zero)
        subscriptions.askForRoster()
        subscriptions.arrives(.roster)
        var isWanted = subscriptions.wantMarker(at: .milliseconds(500))
        #expect(!isWanted)
        isWanted = subscriptions.wantMarker(at: .seconds(1))
        #expect(isWanted)
        subscriptions.sent("echo-2", at: .seconds(1))
        let complete = subscriptions.returned("echo-2")
        #expect(complete == [.peers, .roster])
    }

    @Test("A marker that is not needed at the end of the round is not sent")
    func unwanted() {
        var subscriptions = Subscriptions()
        subscriptions.askForRoster()
        subscriptions.arrives(.roster)
        let isWanted = subscriptions.wantMarker(at: .zero)
        #expect(isWanted)
        subscriptions.remove(.roster)
        let isDue = subscriptions.takeMarker(at: .zero)
        #expect(!isDue)
    }
}
