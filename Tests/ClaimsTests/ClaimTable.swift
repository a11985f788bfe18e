import Bluetooth
import Testing

@testable import Claims

/// A row of a table: an input of the state machine of bridge `b`, its reaction, and the claim that it then publishes.
struct Row: Sendable {
    enum Input: Sendable {
        case listen, settle, link, unlink, refuted, reconsider, timeIsUp, advertised
        case hear(Claim)
        case proved(String)
        /// The offline bridges, and the bridges that may be offline.
        case world(dead: Set<String>, presumed: Set<String>)
    }

    var time: Duration
    var input: Input
    var reaction: DeviceClaim.Reaction
    var said: String?

    init(_ seconds: Double, _ input: Input, _ reaction: DeviceClaim.Reaction, _ said: String?) {
        time = .seconds(seconds)
        self.input = input
        self.reaction = reaction
        self.said = said
    }
}

/// Plays tables.
struct ClaimTable {
    /// An address for which the bridge `b` has this place among `a`, `b` and `c`.
    static func address(place: Int) -> Address {
        let addresses = (0..<1000).map { Address(number: $0) }
        return addresses.first { Rendezvous.place(of: "b", among: ["a", "c"], for: $0) == place }
            ?? addresses[0]
    }

    static func claim(_ text: String, since: String? = nil, isStored: Bool = false) -> Claim {
        let words = text.split(separator: " ")
        return Claim(
            bridge: String(words[0]), epoch: Int(words[1]) ?? -2,
            state: Claim.State(rawValue: String(words[2])) ?? .released, since: since,
            score: words.count > 3 ? Int(words[3]) : nil, isStored: isStored)
    }

    var machine: DeviceClaim
    private var dead: Set<String> = []
    private var presumed: Set<String> = []

    init(place: Int = 0) { machine = DeviceClaim(bridge: "b", address: Self.address(place: place)) }

    /// The state of the other bridges.
    var peers: Neighbors {
        let (dead, presumed) = (dead, presumed)
        return Neighbors(
            life: { dead.contains($0.bridge) ? .dead : presumed.contains($0.bridge) ? .presumed : .alive },
            online: { ["a", "c"].filter { !dead.contains($0) } })
    }

    mutating func play(_ rows: [Row], _ location: SourceLocation = #_sourceLocation) {
        for (number, row) in rows.enumerated() {
            let reaction = play(row)
            let said = machine.said.map { "\($0.epoch) \($0.state)" }
            #expect(reaction == row.reaction, "row \(number): \(row.input)", sourceLocation: location)
            #expect(said == row.said, "row \(number): \(row.input)", sourceLocation: location)
        }
    }

    private mutating func play(_ row: Row) -> DeviceClaim.Reaction {
        switch row.input {
        case .listen:
            machine.listen()
            return .nothing
        case .settle: return machine.settle(peers, at: row.time)
        case .link: return machine.linked()
        case .unlink: return machine.unlinked(peers, at: row.time)
        case .refuted: return machine.refuted()
        case .reconsider: return machine.reconsider(peers, at: row.time)
        case .timeIsUp: return machine.timeIsUp(peers, at: row.time)
        case .advertised: return machine.advertised(peers, at: row.time)
        case .hear(let claim): return machine.heard(claim, peers, at: row.time)
        case .proved(let since): return machine.proved(since: since, at: row.time)
        case .world(let dead, let presumed):
            (self.dead, self.presumed) = (dead, presumed)
            return .nothing
        }
    }
}

extension Row.Input {
    static func hear(_ text: String, since: String? = nil) -> Self {
        .hear(ClaimTable.claim(text, since: since))
    }
    static func stored(_ text: String) -> Self { .hear(ClaimTable.claim(text, isStored: true)) }
    static func dead(_ bridges: String...) -> Self { .world(dead: Set(bridges), presumed: []) }
    static func presumed(_ bridges: String...) -> Self { .world(dead: [], presumed: Set(bridges)) }
}
