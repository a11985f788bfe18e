import Bluetooth
import Claims
import Testing

@Suite("Which bridge uses a Bluetooth proxy")
struct ProxySharingTests {
    private static let proxy: Address = "C0:FF:EE:00:00:01"

    /// A bridge with the proxy. All retained messages have arrived at zero.
    private struct Bridge {
        let id: String
        var sharing = ProxySharing()
        var peers: Peers

        init(_ id: String, isSettled: Bool = true) {
            (self.id, peers) = (id, Peers(own: id))
            hear(id, "online")
            if isSettled { peers.settled(at: .zero) }
        }

        mutating func hear(_ bridge: String, _ availability: String) {
            _ = peers.heard(availability: Array(availability.utf8), of: bridge, isStored: false, at: .zero)
        }

        mutating func hear(_ bridge: String, isUsing: Bool, holder: String = "") {
            let name = #""name":"proxy/a","address":"\#(proxy)""#
            let held = holder.isEmpty ? "null" : "\"\(holder)\""
            let adapter = #"{\#(name),"powered":\#(isUsing),"held_by":\#(held)}"#
            _ = peers.heard(info: Array(#"{"adapters":[\#(adapter)]}"#.utf8), of: bridge, isStored: false)
        }

        mutating func decide(
            _ state: RadioDescription.Adapter.Sharing? = .waiting, at now: Duration
        ) -> ProxySharing.Decision? {
            sharing.decide(
                .init(name: "proxy/kitchen", address: proxy, isPowered: false, sharing: state), own: id,
                peers,
                at: now)
        }
    }

    @Test("A bridge that is alone uses the proxy at once, but not before it knows that it is alone")
    func alone() {
        var unknown = Bridge("cellar", isSettled: false)
        #expect(unknown.decide(at: .seconds(60)) == nil)
        var cellar = Bridge("cellar")
        #expect(cellar.decide(nil, at: .zero) == nil)
        #expect(cellar.decide(at: .zero) == .use)
        #expect(cellar.decide(.used, at: .zero) == nil)
    }

    @Test("A proxy that another bridge uses is left to it, and taken over when that bridge is gone")
    func takeOver() {
        var cellar = Bridge("cellar")
        cellar.hear("attic", "online")
        cellar.hear("attic", isUsing: true)
        #expect(cellar.decide(at: .milliseconds(1999)) == nil, "other bridges may not have answered yet")
        #expect(cellar.decide(at: .seconds(2)) == .leave(to: "attic"))
        cellar.hear("attic", "offline")
        #expect(cellar.decide(at: .seconds(5)) == .wait(until: .seconds(8)), "attic may still close links")
        #expect(cellar.decide(at: .seconds(8)) == .use)
    }

    @Test("A proxy that an unknown program has taken from another bridge is left alone")
    func taken() {
        var cellar = Bridge("cellar")
        cellar.hear("attic", "online")
        cellar.hear("attic", isUsing: false, holder: "another client (such as Home Assistant)")
        #expect(cellar.decide(at: .seconds(60)) == .leave(to: "attic"))
        cellar.hear("attic", isUsing: false, holder: "bridge hall")
        #expect(cellar.decide(at: .seconds(61)) != .leave(to: "attic"))
    }

    @Test("If several bridges wait, they follow one after the other; the last user does not wait")
    func order() throws {
        var (cellar, attic) = (Bridge("cellar"), Bridge("attic"))
        cellar.hear("attic", "online")
        cellar.hear("attic", isUsing: false)
        attic.hear("cellar", "online")
        attic.hear("cellar", isUsing: false)
        let decisions = [cellar.decide(at: .seconds(10)), attic.decide(at: .seconds(10))]
        let dues = [Duration.seconds(13), .seconds(16)]
        #expect(Set(decisions) == Set(dues.map { .wait(until: $0) }))
        let due = try #require(dues.first { decisions[0] == .wait(until: $0) })
        #expect(cellar.decide(at: due - .milliseconds(1)) == .wait(until: due))
        #expect(cellar.decide(at: due) == .use)
        _ = cellar.decide(.used, at: due)
        // The proxy restarts. This bridge has used it last.
        #expect(cellar.decide(nil, at: due) == nil)
        #expect(cellar.decide(at: due + .seconds(11)) == .use)
        // The time in which this bridge cannot reach the proxy does not count.
        cellar.hear("attic", isUsing: true)
        #expect(cellar.decide(at: due + .seconds(20)) == .leave(to: "attic"))
        cellar.hear("attic", isUsing: false)
        #expect(cellar.decide(nil, at: due + .seconds(21)) == nil)
        let pause = due - .seconds(10)
        #expect(cellar.decide(at: due + .seconds(60)) == .wait(until: due + .seconds(60) + pause))
    }

    @Test("A proxy that an unknown program has taken is used again only after another bridge has used it")
    func displaced() {
        var cellar = Bridge("cellar")
        #expect(cellar.decide(.used, at: .zero) == nil)
        #expect(cellar.decide(.displaced, at: .seconds(60)) == nil)
        #expect(cellar.decide(.displaced, at: .seconds(3600)) == nil)
        cellar.hear("attic", "online")
        cellar.hear("attic", isUsing: true)
        #expect(cellar.decide(.displaced, at: .seconds(3601)) == .leave(to: "attic"))
        cellar.hear("attic", "offline")
        #expect(cellar.decide(.waiting, at: .seconds(3602)) == .wait(until: .seconds(3605)))
        #expect(cellar.decide(.waiting, at: .seconds(3605)) == .use)
    }
}
