import Testing

@testable import BridgeParts

@Suite("Retained messages of subscriptions")
struct StoredMessagesTests {
    @Test("A marker covers the subscriptions granted before it was sent, and no others")
    func proves() {
        var stored = StoredMessages<Int>()
        for key in 1...3 { stored.ask(key) }
        #expect(!stored.wantsMarker(at: .zero))
        stored.grant(1)
        #expect(stored.wantsMarker(at: .zero))
        stored.sent("a", at: .zero)
        stored.grant(2)
        #expect(!stored.wantsMarker(at: .milliseconds(999)))
        let none = stored.returned("b")
        let first = stored.returned("a")
        #expect(none == [] && first == [1])
        #expect(stored.wantsMarker(at: .zero))
        stored.sent("c", at: .zero)
        let second = stored.returned("c")
        #expect(second == [2])
        #expect(!stored.wantsMarker(at: .seconds(9)))
    }

    @Test("A lost marker is sent again, and covers the subscriptions granted since")
    func lost() {
        var stored = StoredMessages<Int>()
        for key in 1...2 { stored.ask(key) }
        stored.grant(1)
        stored.sent("a", at: .zero)
        stored.grant(2)
        #expect(stored.wantsMarker(at: .seconds(1)))
        stored.sent("b", at: .seconds(1))
        let late = stored.returned("a")
        let proved = stored.returned("b")
        #expect(late == [] && proved == [1, 2])
    }

    @Test("A forgotten key is not covered by the marker, and a key requested again is waited for again")
    func forgotten() {
        var stored = StoredMessages<Int>()
        for key in 1...2 { stored.ask(key) }
        for key in 1...2 { stored.grant(key) }
        stored.sent("a", at: .zero)
        stored.forget(1)
        stored.ask(2)
        let proved = stored.returned("a")
        #expect(proved == [])
        #expect(!stored.wantsMarker(at: .zero))
    }
}
