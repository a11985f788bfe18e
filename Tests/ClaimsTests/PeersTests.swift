import Bluetooth
import Claims
import Testing

@Suite("Online state of other bridges")
struct PeersTests {
    private static let online = Array("online".utf8)
    private static let offline = Array("offline".utf8)

    private func claim(isStored: Bool) -> Claim {
        Claim(bridge: "attic", epoch: 1, state: .linked, isStored: isStored)
    }

    /// Peers of a bridge that may read the topics of bridges. All retained messages have arrived at zero.
    private func settled(
        canSee: Bool = true, _ hear: (inout Peers) -> Void = { _ in }
    ) -> Peers {
        var peers = Peers(own: "cellar")
        if canSee { _ = peers.heard(availability: Self.online, of: "cellar", isStored: false, at: .zero) }
        hear(&peers)
        peers.settled(at: .zero)
        return peers
    }

    @Test("A retained message is valid for two seconds, unless its bridge publishes another message")
    func stored() {
        let peers = settled {
            _ = $0.heard(availability: Self.online, of: "attic", isStored: true, at: .zero)
            _ = $0.heard(info: Array(#"{"contract":2}"#.utf8), of: "attic", isStored: true)
        }
        #expect(peers.life(of: claim(isStored: true), at: .milliseconds(1999)) == .presumed)
        #expect(peers.life(of: claim(isStored: true), at: .seconds(2)) == .dead)
        #expect(peers.life(of: claim(isStored: false), at: .seconds(2)) == .alive)
    }

    @Test("A bridge that publishes its info is online unless it has gone, and its retained claims are valid")
    func saysInfo() {
        for (isStored, life) in [(false, Neighbors.Life.alive), (true, .dead)] {
            for isFirst in [false, true] {
                let peers = settled {
                    if isFirst { _ = $0.heard(info: Array("{}".utf8), of: "attic", isStored: isStored) }
                    _ = $0.heard(availability: Self.online, of: "attic", isStored: true, at: .zero)
                    _ = $0.heard(
                        info: Array(#"{"contract":2}"#.utf8), of: "attic", isStored: isStored || isFirst)
                }
                #expect(peers.life(of: claim(isStored: true), at: .seconds(9)) == life)
            }
        }
        let gone = settled {
            _ = $0.heard(availability: Self.offline, of: "attic", isStored: false, at: .zero)
            _ = $0.heard(info: Array(#"{"contract":2}"#.utf8), of: "attic", isStored: false)
        }
        #expect(gone.life(of: claim(isStored: false), at: .seconds(9)) == .dead)
    }

    @Test("The two seconds start when all retained messages have arrived")
    func notSettled() {
        var peers = Peers(own: "cellar")
        _ = peers.heard(availability: Self.online, of: "cellar", isStored: false, at: .zero)
        #expect(peers.life(of: claim(isStored: true), at: .seconds(3600)) == .presumed)
        peers.settled(at: .seconds(3600))
        #expect(peers.life(of: claim(isStored: true), at: .seconds(3601)) == .presumed)
        #expect(peers.life(of: claim(isStored: true), at: .seconds(3602)) == .dead)
    }

    @Test("A bridge that comes online is reported, and its claims are valid; one that goes offline is dead")
    func comesAndGoes() {
        var peers = settled()
        let comes = peers.heard(availability: Self.online, of: "attic", isStored: false, at: .zero)
        #expect(comes)
        #expect(peers.life(of: claim(isStored: true), at: .seconds(9)) == .alive)
        let goes = peers.heard(availability: Self.offline, of: "attic", isStored: false, at: .zero)
        #expect(!goes)
        #expect(peers.life(of: claim(isStored: false), at: .seconds(9)) == .dead)
        let stored = peers.heard(availability: Self.online, of: "attic", isStored: true, at: .zero)
        #expect(!stored)
    }

    @Test("A bridge without any message is offline, unless the topics of bridges may not be read")
    func unknown() {
        #expect(settled().life(of: claim(isStored: false), at: .seconds(1)) == .presumed)
        #expect(settled().life(of: claim(isStored: false), at: .seconds(2)) == .dead)
        #expect(settled(canSee: false).life(of: claim(isStored: false), at: .seconds(2)) == .alive)
    }

    @Test("A new connection discards the state of the previous one")
    func reconnected() {
        var peers = settled {
            _ = $0.heard(availability: Self.online, of: "attic", isStored: false, at: .zero)
        }
        peers.connected()
        #expect(peers.life(of: claim(isStored: true), at: .seconds(9)) == .presumed)
    }

    @Test("The adapters of another host are read from its info, and an invalid info is ignored")
    func adapters() {
        var peers = settled()
        let info = #"{"adapters":[{"name":"hci0","address":"00:11:22:33:44:55"},{"name":"hci1"},7]}"#
        let isNew = (0..<2).map { _ in peers.heard(info: Array(info.utf8), of: "attic", isStored: true) }
        #expect(isNew == [true, false])
        #expect(peers.adapter("hci0", of: "attic") == "00:11:22:33:44:55")
        #expect(peers.adapter("hci1", of: "attic") == nil)
        _ = peers.heard(info: Array("[".utf8), of: "attic", isStored: true)
        #expect(peers.adapter("hci0", of: "attic") == "00:11:22:33:44:55")
    }

    @Test("A proxy that another online bridge is configured with is found by its address, and so is its user")
    func proxies() {
        let proxy: Address = "C0:FF:EE:00:00:01"
        var peers = settled {
            _ = $0.heard(availability: Self.online, of: "attic", isStored: false, at: .zero)
            _ = $0.heard(availability: Self.online, of: "ghost", isStored: true, at: .zero)
        }
        func hear(_ bridge: String, isUsed: Bool) {
            let info = """
                {"adapters":[{"name":"proxy/a","address":"\(proxy)","powered":\(isUsed)},\
                {"name":"hci0","address":"00:11:22:33:44:55","powered":true}]}
                """
            _ = peers.heard(info: Array(info.utf8), of: bridge, isStored: true)
        }
        for bridge in ["attic", "hall"] { hear(bridge, isUsed: false) }
        #expect(peers.bridges(withProxy: proxy) == ["attic"], "hall is not online")
        #expect(peers.bridges(withProxy: "00:11:22:33:44:55") == [])
        #expect(peers.user(ofProxy: proxy, at: .seconds(9)) == nil)
        hear("ghost", isUsed: true)
        #expect(peers.user(ofProxy: proxy, at: .seconds(1)) == "ghost")
        #expect(peers.user(ofProxy: proxy, at: .seconds(2)) == nil, "ghost has not repeated its message")
        for bridge in ["attic", "hall"] { hear(bridge, isUsed: true) }
        #expect(peers.user(ofProxy: proxy, at: .seconds(2)) == "attic")
        #expect(peers.user(ofProxy: "00:11:22:33:44:55", at: .seconds(2)) == nil)
        _ = peers.heard(availability: Self.offline, of: "attic", isStored: false, at: .seconds(3))
        #expect(peers.user(ofProxy: proxy, at: .seconds(3)) == nil)
    }
}
