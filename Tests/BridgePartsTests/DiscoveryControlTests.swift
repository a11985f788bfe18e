import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Control of discovery")
struct DiscoveryControlTests {
    private struct Token: DiscoveryToken {
        func end() async {}
    }

    private func change(_ control: inout DiscoveryControl, _ isWanted: Bool) -> String? {
        switch control.want(isWanted) {
        case .start: "start"
        case .end: "end"
        case nil: nil
        }
    }

    @Test("One change is under way at a time, and a request during it is repeated after it")
    func changes() {
        var control = DiscoveryControl()
        #expect(change(&control, false) == nil)
        #expect(change(&control, true) == "start")
        #expect(change(&control, true) == nil)
        #expect(change(&control, false) == nil)
        control.changed(to: Token())
        #expect(change(&control, true) == nil)
        #expect(change(&control, false) == "end")
        #expect(change(&control, true) == nil)
        control.changed(to: nil)
        #expect(change(&control, true) == "start")
    }

    @Test("At the end the token is returned once")
    func end() {
        var control = DiscoveryControl()
        var isTaken = control.take() != nil
        #expect(!isTaken)
        _ = control.want(true)
        isTaken = control.take() != nil
        #expect(!isTaken)
        control.changed(to: Token())
        isTaken = control.take() != nil
        #expect(isTaken)
        isTaken = control.take() != nil
        #expect(!isTaken)
    }
}
