import Bluetooth
import Claims
import Testing

@Suite("Ownership of a device's topics")
struct TopicOwnershipTests {
    /// The ownership of this bridge when a claim arrives.
    enum Standing: String, Sendable { case unknown, assumed, linked, other }

    struct Row: Sendable, CustomTestStringConvertible {
        var standing: Standing
        var rival: NameRival
        var life: Neighbors.Life
        var isConfigured = false
        var reaction: TopicOwnership.Reaction
        var isOurs: Bool
        var testDescription: String {
            "\(standing.rawValue)\(isConfigured ? " configured" : ""): \(life) \(rival)"
        }
    }

    private static let address: Address = "00:00:00:00:00:50"

    /// A claim on the device itself, by a bridge with a lower or a higher id.
    private static func device(
        _ isConnected: Bool, stored: Bool = false, lower: Bool = true
    ) -> NameRival {
        NameRival(
            address: address,
            claim: Claim(
                bridge: lower ? "a" : "z", epoch: 0, state: isConnected ? .linked : .released,
                isStored: stored))
    }

    /// A claim on another device with this name and a lower or a higher address.
    private static func name(
        _ isConnected: Bool, stored: Bool = false, lower: Bool = true, configured: Bool = false
    ) -> NameRival {
        NameRival(
            address: lower ? "00:00:00:00:00:01" : "00:00:00:00:00:99",
            claim: Claim(
                bridge: "z", epoch: 0, state: isConnected ? .linked : .released, isConfigured: configured,
                isStored: stored))
    }

    private static func row(
        _ standing: Standing, _ rival: NameRival, life: Neighbors.Life = .alive,
        configured: Bool = false,
        _ reaction: TopicOwnership.Reaction, ours: Bool
    ) -> Row {
        Row(
            standing: standing, rival: rival, life: life, isConfigured: configured, reaction: reaction,
            isOurs: ours)
    }

    private static let deviceRows: [Row] = [
        // A link decides; a link claimed by two bridges must be proved.
        row(.unknown, device(true, stored: true), .yield, ours: false),
        row(.unknown, device(false, stored: true), .yield, ours: false),
        row(.unknown, device(true, stored: true), life: .presumed, .nothing, ours: false),
        row(.unknown, device(true, stored: true), life: .dead, .nothing, ours: false),
        row(.unknown, device(false, lower: false), .yield, ours: false),
        row(.assumed, device(true), .yield, ours: false),
        row(.assumed, device(true), life: .dead, .republishAgain, ours: true),
        row(.assumed, device(false), .yield, ours: false),
        row(.assumed, device(false, lower: false), .republishAgain, ours: true),
        row(.assumed, device(false, stored: true, lower: false), .republishAgain, ours: true),
        row(.linked, device(true), .prove, ours: true),
        row(.linked, device(true), life: .presumed, .prove, ours: true),
        row(.linked, device(true), life: .dead, .republishAgain, ours: true),
        row(.linked, device(true, stored: true), .prove, ours: true),
        row(.linked, device(false), .republishAgain, ours: true),
        row(.other, device(true), .nothing, ours: false),
        row(.other, device(false), .nothing, ours: false),
        row(.other, device(true), life: .dead, .republish, ours: true),
    ]

    private static let nameRows: [Row] = [
        // Neither device is configured: a linked device wins; without a link, the stored claim or the lower address.
        row(.unknown, name(false, stored: true, lower: false), .giveUpName, ours: false),
        row(.unknown, name(true, lower: false), .giveUpName, ours: false),
        row(.unknown, name(true, lower: false), life: .presumed, .nothing, ours: false),
        row(.unknown, name(true), life: .dead, .nothing, ours: false),
        row(.assumed, name(true, lower: false), .giveUpName, ours: true),
        row(.assumed, name(false), .giveUpName, ours: true),
        row(.assumed, name(false), life: .presumed, .nothing, ours: true),
        row(.assumed, name(false, lower: false), .republishAgain, ours: true),
        row(.linked, name(false), .republishAgain, ours: true),
        row(.linked, name(true), .giveUpName, ours: true),
        row(.linked, name(true), life: .dead, .republishAgain, ours: true),
        row(.linked, name(true, lower: false), .republishAgain, ours: true),
        row(.linked, name(true, stored: true), .republishAgain, ours: true),
        // One of the two is configured.
        row(.assumed, name(true), configured: true, .republishAgain, ours: true),
        row(.linked, name(true), configured: true, .republishAgain, ours: true),
        row(.unknown, name(true), configured: true, .nothing, ours: false),
        row(.assumed, name(false, lower: false, configured: true), .giveUpName, ours: true),
        row(.linked, name(false, lower: false, configured: true), .giveUpName, ours: true),
        row(
            .linked, name(true, lower: false, configured: true), life: .presumed, .nothing, ours: true),
        // Both are configured: a link decides; two linked devices share the name, and the lower address reports it.
        row(.assumed, name(true, configured: true), configured: true, .yield, ours: false),
        row(.unknown, name(true, configured: true), life: .presumed, configured: true, .nothing, ours: false),
        row(.assumed, name(false, configured: true), configured: true, .yield, ours: false),
        row(
            .assumed, name(false, lower: false, configured: true), configured: true, .republishAgain,
            ours: true),
        row(.linked, name(false, configured: true), configured: true, .republishAgain, ours: true),
        row(.linked, name(true, configured: true), configured: true, .shareName, ours: false),
        row(
            .linked, name(true, lower: false, configured: true), configured: true, .shareName, ours: true),
        row(
            .linked, name(true, configured: true), life: .dead, configured: true, .republishAgain, ours: true),
    ]

    @Test("A claim has the reaction of the table", arguments: deviceRows + nameRows)
    func claim(_ row: Row) {
        var ownership = TopicOwnership(bridge: "m", address: Self.address, isConfigured: row.isConfigured)
        switch row.standing {
        case .unknown: break
        case .assumed: _ = ownership.settle(.all(.alive), isLinked: false, at: .zero)
        case .linked:
            _ = ownership.settle(.all(.alive), isLinked: false, at: .zero)
            _ = ownership.linked(.all(.alive))
        case .other:
            _ = ownership.settle(.all(.alive), isLinked: false, at: .zero)
            _ = ownership.hears(Self.device(true, lower: false), .all(.alive))
        }
        let reaction = ownership.hears(row.rival, .all(row.life), isLinked: row.standing == .linked)
        #expect(reaction == row.reaction)
        #expect(ownership.isOurs == row.isOurs)
    }

    @Test(
        "A bridge without other bridges owns the topics, and a bridge that gets the link owns them in any case"
    )
    func begins() {
        var ownership = TopicOwnership(bridge: "m", address: Self.address, isConfigured: false)
        #expect(ownership.isUnknown)
        ownership.listen()
        let settled = (1...2).map { _ in ownership.settle(.all(.alive), isLinked: false, at: .zero) }
        #expect(settled == [.republish, .nothing])
        let claim = Self.device(true, lower: false)
        #expect(ownership.hears(claim, .all(.alive)) == .yield)
        #expect(ownership.hears(claim, .all(.alive)) == .nothing)
        let linked = ownership.linked(.all(.alive))
        #expect(linked == .republish && ownership.isOurs)
    }

    @Test(
        "A former holder of the device is recorded until this bridge has it, whichever bridges are online")
    func remembersOthers() {
        for life in [Neighbors.Life.alive, .presumed, .dead] {
            var ownership = TopicOwnership(bridge: "m", address: Self.address, isConfigured: false)
            _ = ownership.hears(Self.device(false), .all(life))
            _ = ownership.hears(Self.name(true), .all(life))
            #expect(!ownership.wasElsewhere, "no link, or of another device")
            _ = ownership.hears(Self.device(true), .all(life))
            _ = ownership.hears(Self.device(false), .all(life))
            #expect(ownership.wasElsewhere, "\(life)")
            _ = ownership.linked(.all(life))
            #expect(!ownership.wasElsewhere)
            _ = ownership.hears(Self.device(true), .all(life), isLinked: true)
            #expect(!ownership.wasElsewhere, "the device is here")
        }
    }

    @Test(
        "A claim of a bridge that may be offline is decided once that is known",
        arguments: [Neighbors.Life.alive, .dead])
    func known(_ life: Neighbors.Life) {
        var ownership = TopicOwnership(bridge: "m", address: Self.address, isConfigured: false)
        let first = ownership.hears(Self.device(true, stored: true), .all(.presumed))
        let settled = ownership.settle(.all(.presumed), isLinked: false, at: .zero)
        #expect(first == .nothing && settled == .nothing && ownership.isUnknown)
        let known = ownership.reconsider(.all(life), isLinked: false, at: .zero)
        #expect(known == (life == .dead ? .republish : .yield))
    }

    @Test(
        "When the owner is offline, the standby bridge takes over, and ignores claims of the offline bridge")
    func holderDead() {
        var ownership = TopicOwnership(bridge: "m", address: Self.address, isConfigured: false)
        _ = ownership.settle(.all(.alive), isLinked: false, at: .zero)
        _ = ownership.hears(Self.device(true), .all(.alive))
        let first = ownership.reconsider(.all(.dead), isLinked: false, at: .zero)
        #expect(first == .republish)
        #expect(
            ownership.hears(Self.device(true), .all(.dead)) == .republishAgain)
        #expect(ownership.isOurs)
    }

    @Test("A name that another device no longer has is free again")
    func nameLeft() {
        var ownership = TopicOwnership(bridge: "m", address: Self.address, isConfigured: true)
        _ = ownership.settle(.all(.alive), isLinked: false, at: .zero)
        #expect(ownership.said?.state == .released && ownership.lastWord == nil)
        let rival = Self.name(true, configured: true)
        #expect(ownership.hears(rival, .all(.alive)) == .yield)
        #expect(ownership.said == nil && ownership.lastWord?.state == .released)
        #expect(ownership.nameLeft(by: Self.address, .all(.alive), isLinked: false) == .nothing)
        #expect(ownership.nameLeft(by: rival.address, .all(.alive), isLinked: false) == .republish)
        #expect(ownership.isOurs && ownership.lastWord == nil)
    }

    @Test(
        "A name is shared until one of the devices loses its link, and then the other bridge owns it",
        arguments: [true, false])
    func shared(_ goesFirst: Bool) {
        var ownership = TopicOwnership(bridge: "m", address: Self.address, isConfigured: true)
        _ = ownership.linked(.all(.alive))
        let claim = Self.name(true, lower: !goesFirst, configured: true)
        #expect(ownership.hears(claim, .all(.alive), isLinked: true) == .shareName)
        #expect(ownership.hears(claim, .all(.alive), isLinked: true) == .nothing)
        #expect(ownership.isNameShared && ownership.isOurs == goesFirst)
        var gone = claim
        gone.claim.state = .released
        #expect(
            ownership.hears(gone, .all(.alive), isLinked: true)
                == (goesFirst ? .republishAgain : .republish))
        #expect(!ownership.isNameShared && ownership.isOurs)
    }
}

extension TopicOwnership {
    /// Handles a claim. A claim on the device gets a higher epoch than all before if it is not retained and has a
    /// link.
    fileprivate mutating func hears(_ rival: NameRival, _ peers: Neighbors, isLinked: Bool = false)
        -> Reaction
    {
        guard rival.address == address else { return heard(rival, peers, isLinked: isLinked) }
        var claim = rival.claim
        claim.epoch = device.highest + (claim.isStored || claim.state == .released ? 0 : 1)
        return heard(claim, peers, at: .zero)
    }
}
