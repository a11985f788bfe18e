import Console
import Testing

@Suite("The limits of connections")
struct VisitorsTests {
    private let limits = Visitors.limits

    @Test("The oldest connection without a login of one source is closed, and no other connection")
    func each() {
        var visitors = Visitors()
        #expect(visitors.enter(0, from: "b") == [])
        let gone = (1...100).flatMap { visitors.enter($0, from: "a") }
        #expect(gone == Array(1...100 - limits.each) && visitors.count == limits.each + 1)
    }

    @Test("With many sources, a connection of the source with the most connections is closed")
    func all() {
        var visitors = Visitors()
        for number in 0..<8 { _ = visitors.enter(number, from: "crowd") }
        let gone = (8..<limits.guests + 20).flatMap { visitors.enter($0, from: "\($0)") }
        #expect(Array(gone.prefix(7)) == Array(0..<7) && visitors.count == limits.guests)
    }

    @Test("Behind a trusted proxy, the forwarded address is the source, once it is known")
    func proxy() {
        var visitors = Visitors()
        for number in 0..<100 { #expect(visitors.enter(number, from: nil) == []) }
        let gone = (0..<100).flatMap { visitors.know($0, .guest, from: $0 == 50 ? "b" : "a") }
        #expect(gone.count == 99 - limits.each && !gone.contains(50))
    }

    @Test("Logged-in users and stops have separate limits, whatever other connections there are")
    func reserved() {
        var visitors = Visitors()
        #expect(visitors.enter(1, from: "a") == [] && visitors.know(1, .stop, from: "a") == [])
        #expect(visitors.enter(2, from: "a") == [] && visitors.know(2, .user, from: "a") == [])
        var gone: [Int] = []
        for number in 3..<1_000 {
            gone += visitors.enter(number, from: "a")
            if number % 2 == 0 { gone += visitors.know(number, .guest, from: "a") }
        }
        #expect(!gone.contains(1) && !gone.contains(2) && visitors.count == limits.each + 2)
        for number in 1_000..<2_000 {
            gone += visitors.enter(number, from: "a") + visitors.know(number, .user, from: "a")
        }
        #expect(!gone.contains(1) && gone.contains(2) && visitors.count <= limits.each + limits.users + 1)
        visitors.leave(1)
        #expect(visitors.know(1, .stop, from: "a") == [])
    }
}
