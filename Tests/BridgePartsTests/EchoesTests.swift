import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Echoes of a connection")
struct EchoesTests {
    @Test("An echo counts once, on the connection on which it was sent")
    func once() {
        var echoes = Echoes()
        let value = echoes.next(isNeeded: true, at: .zero)
        let other = echoes.next(isNeeded: true, at: .zero)
        #expect(value != other)
        var counts = echoes.returned(value, at: .zero)
        #expect(!counts)
        echoes.sent(value, at: .milliseconds(10))
        echoes.sent(other, at: .milliseconds(10))
        counts = echoes.returned(value, at: .milliseconds(14))
        #expect(counts)
        counts = echoes.returned(value, at: .milliseconds(15))
        #expect(!counts)
        let connection = echoes.connection
        echoes.reset()
        #expect(echoes.connection != connection)
        counts = echoes.returned(other, at: .milliseconds(16))
        #expect(!counts)
        // The metrics cover all connections.
        var times = echoes.takeTimes()
        #expect(times == [.milliseconds(4)])
        times = echoes.takeTimes()
        #expect(times.isEmpty)
    }

    @Test("An echo is waited for at most 10 s")
    func memory() {
        var echoes = Echoes()
        echoes.sent("late", at: .zero)
        echoes.sent("newer", at: .seconds(10))
        let counts = [echoes.returned("late", at: .seconds(11)), echoes.returned("newer", at: .seconds(11))]
        #expect(counts == [false, true])
    }

    @Test("A needed echo that has not returned after 2 s is reported once per connection")
    func blocked() {
        var echoes = Echoes()
        _ = echoes.next(isNeeded: false, at: .zero)
        #expect(!echoes.isBlocked(at: .seconds(10)))
        _ = echoes.next(isNeeded: true, at: .seconds(10))
        #expect(!echoes.isBlocked(at: .seconds(12)))
        #expect(echoes.isBlocked(at: .milliseconds(12_001)))
        var reports = [echoes.reportsBlock(at: .seconds(12)), echoes.reportsBlock(at: .seconds(13))]
        #expect(reports == [false, true])
        reports = [echoes.reportsBlock(at: .seconds(14))]
        #expect(reports == [false] && echoes.isBlocked(at: .seconds(14)))
        echoes.reset()
        #expect(!echoes.isBlocked(at: .seconds(14)))
    }

    @Test("One returned echo proves the path for the connection")
    func proved() {
        var echoes = Echoes()
        let value = echoes.next(isNeeded: true, at: .zero)
        echoes.sent(value, at: .zero)
        let counts = echoes.returned(value, at: .seconds(5))
        #expect(counts)
        _ = echoes.next(isNeeded: true, at: .seconds(5))
        #expect(!echoes.isBlocked(at: .seconds(20)))
    }
}
