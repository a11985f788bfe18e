import Testing

@testable import MQTT

@Suite("The next attempt and its delay")
struct DialerTests {
    private static let first = Address(host: "10.0.0.1", port: 1), second = Address(host: "10.0.0.2", port: 1)
    private static let refused = error(.connectionRefused), lost = error(.connectionLost)

    private static func error(_ code: MQTTError.Code) -> MQTTError {
        MQTTError(code, broker: "b", explanation: "no")
    }

    private func dialer(hosts: [String] = ["a"], hasRandomID: Bool = false) -> Dialer {
        var configuration = Configuration(clientID: "chosen")
        configuration.servers = hosts.map { .init(host: $0) }
        if hasRandomID { configuration.useRandomClientID("bridge", end: "abcdefghij") }
        var dialer = Dialer(configuration)
        dialer.begin()
        return dialer
    }

    /// Returns a dialer whose first address accepted a connection.
    private func connected(hosts: [String] = ["a"], hasRandomID: Bool = false) -> Dialer {
        var dialer = dialer(hosts: hosts, hasRandomID: hasRandomID)
        _ = dialer.found([Self.first, Self.second])
        let acceptance = dialer.accepted()
        #expect(acceptance == .stays(isElsewhere: false))
        return dialer
    }

    private func lose(
        _ dialer: inout Dialer, _ error: MQTTError = lost, after lifetime: Duration = .seconds(1),
        _ outcome: Outbox.DisconnectOutcome = .init(), isSilent: Bool = false
    ) -> Dialer.Step {
        dialer.lost(error, after: lifetime, outcome, isSilent: isSilent, random: 0)
    }

    @Test("All addresses of a name are tried and listed in the error; later the address that worked is first")
    func addresses() {
        var dialer = dialer()
        check(dialer.found([Self.first, Self.second]), is: Self.first)
        #expect(dialer.addressPatience == Dialer.shortPatience)
        check(dialer.attemptFailed(Self.refused, random: 0), is: .connect(Self.second))
        #expect(dialer.addressPatience == .seconds(10))
        let step = dialer.attemptFailed(Self.refused, random: 0)
        guard case .wait(let error, .milliseconds(500)) = step else { return #expect("\(step)" == "wait") }
        #expect(error.broker == "a:1883 (tried 10.0.0.1, 10.0.0.2)")
        dialer.begin()
        _ = dialer.found([Self.first, Self.second])
        _ = dialer.attemptFailed(Self.refused, random: 0)
        _ = dialer.accepted()
        check(dialer.found([Self.first, Self.second]), is: Self.second)
    }

    @Test("Errors that another address cannot fix do not lead to another address")
    func badCredentials() {
        var dialer = dialer()
        _ = dialer.found([Self.first, Self.second])
        check(
            dialer.attemptFailed(Self.error(.badCredentials), random: 0),
            is: .wait(Self.error(.badCredentials), .seconds(4)))
    }

    @Test("A protocol version that fails is replaced by the other version at the same address")
    func versions() {
        var dialer = dialer()
        _ = dialer.found([Self.first])
        check(dialer.attemptFailed(Self.error(.protocolError), random: 0), is: .connect(Self.first))
        #expect(dialer.version == .v311)
        dialer = self.dialer()
        _ = dialer.found([Self.first])
        _ = dialer.attemptFailed(Self.error(.timedOut), isUnanswered: true, random: 0)
        #expect(dialer.version == .v311)
        check(dialer.accepted(), is: .proves)
        #expect(dialer.version == .v5 && dialer.addressPatience == Dialer.shortPatience)
        check(
            dialer.attemptFailed(Self.error(.timedOut), isUnanswered: true, random: 0),
            is: .connect(Self.first))
        check(dialer.accepted(), is: .stays(isElsewhere: false))
        #expect(dialer.version == .v311)
    }

    @Test("The next broker is tried immediately after a failure, and first after a lost connection")
    func brokers() {
        var dialer = dialer(hosts: ["a", "b"])
        #expect(dialer.namePatience == Dialer.shortPatience)
        check(dialer.failed(Self.error(.nameNotFound), random: 0), is: .next)
        #expect(dialer.target.host == "b" && dialer.namePatience == .seconds(30))
        _ = dialer.found([Self.first])
        check(dialer.accepted(), is: .stays(isElsewhere: false))
        check(lose(&dialer), is: .wait(Self.lost, .milliseconds(100)))
        #expect(dialer.target.host == "a")
        _ = dialer.found([Self.first])
        check(dialer.accepted(), is: .stays(isElsewhere: true))
    }

    @Test("Three short connections without a reason count as a conflict: random ids change, others wait")
    func takeover() {
        for hasRandomID in [false, true] {
            var dialer = connected(hasRandomID: hasRandomID)
            let id = dialer.target.clientID
            let steps = (0..<3).map { _ in
                _ = dialer.accepted()
                return lose(&dialer, isSilent: true)
            }
            guard case .wait(let error, let delay) = steps[2] else { return #expect("\(steps)" == "wait") }
            #expect(steps[1] == .wait(Self.lost, .milliseconds(500)))
            #expect(error.code == (hasRandomID ? .connectionLost : .sessionTakenOver))
            #expect(delay == (hasRandomID ? .milliseconds(500) : .seconds(2.5)))
            #expect((dialer.target.clientID != id) == hasRandomID)
        }
    }

    @Test("A connection ended by a message is reconnected immediately, at most three times in a row")
    func restart() {
        var dialer = connected()
        let doubtful = Outbox.DisconnectOutcome(cause: .forbidden, hasSuspects: true)
        let failed = Outbox.DisconnectOutcome(cause: .silence, finding: .failure("t"))
        let rejected = Outbox.DisconnectOutcome(cause: .silence, finding: .rejected("t"))
        let ends = [doubtful, failed, doubtful, doubtful, rejected, failed].map {
            lose(&dialer, Self.lost, $0)
        }
        #expect(ends.map { $0 == .restart } == [true, true, true, false, true, true])
        let silent = lose(&dialer, Self.lost, .init(cause: .silence, hasSuspects: true))
        #expect(silent != .restart, "the topics that were under way are tried alone first")
        for _ in 0..<9 { check(lose(&dialer, Self.lost, after: .seconds(5), failed), is: .restart) }
    }
}
