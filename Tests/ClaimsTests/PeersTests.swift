import Bluetooth
import Claims
import Testing

@Suite("Which bridges live")
struct PeersTests {
    private static let online = Array("online".utf8)
    private static let offline = Array("offline".utf8)

    private func claim(isStored: Bool) -> Claim {
        Claim(bridge: "attic", epoch: 1, state: .linked, isStored: isStored)
    }

    /// Peers of a bridge that can read what bridges say, all of whose stored messages came at zero.
    private func settled(
        canSee: Bool = true, _ hear: (inout Peers) -> Void = { _ in }
    ) -> Peers {
        var peers = Peers(own: "cellar")
        if canSee { _ = peers.heard(availability: Self.online, of: "cellar", isStored: false, at: .zero) }
        hear(&peers)
        peers.settled(at: .zero)
        return peers
    }

    @Test("What is in store counts for two seconds, unless its bridge says something")
    func stored() {
        let peers = settled {
            _ = $0.heard(availability: Self.online, of: "attic", isStored: true, at: .zero)
            _ = $0.heard(info: Array(#"{"contract":2}"#.utf8), of: "attic", isStored: true)
        }
        #expect(peers.life(of: claim(isStored: true), at: .milliseconds(1999)) == .presumed)
        #expect(peers.life(of: claim(isStored: true), at: .seconds(2)) == .dead)
        #expect(peers.life(of: claim(isStored: false), at: .seconds(2)) == .alive)
    }

    @Test("A bridge that says something of itself is there, unless it has gone; its stored claims count then")
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

    @Test("The two seconds begin when all of the store has arrived")
    func notSettled() {
        var peers = Peers(own: "cellar")
        _ = peers.heard(availability: Self.online, of: "cellar", isStored: false, at: .zero)
        #expect(peers.life(of: claim(isStored: true), at: .seconds(3600)) == .presumed)
        peers.settled(at: .seconds(3600))
        #expect(peers.life(of: claim(isStored: true), at: .seconds(3601)) == .presumed)
        #expect(peers.life(of: claim(isStored: true), at: .seconds(3602)) == .dead)
    }

    @Test("A bridge that comes is told of, and its claims count; one that goes is dead")
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

    @Test("A bridge that nobody ever heard of is dead, unless nothing may be read of any bridge")
    func unknown() {
        #expect(settled().life(of: claim(isStored: false), at: .seconds(1)) == .presumed)
        #expect(settled().life(of: claim(isStored: false), at: .seconds(2)) == .dead)
        #expect(settled(canSee: false).life(of: claim(isStored: false), at: .seconds(2)) == .alive)
    }

    @Test("A new connection knows nothing of the one before")
    func reconnected() {
        var peers = settled {
            _ = $0.heard(availability: Self.online, of: "attic", isStored: false, at: .zero)
        }
        peers.connected()
        #expect(peers.life(of: claim(isStored: true), at: .seconds(9)) == .presumed)
    }

    @Test("The adapters of another host are known by its info, and nonsense is not heard")
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
}
