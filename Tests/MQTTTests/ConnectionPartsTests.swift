import Testing

@testable import MQTT

@Suite("Parts of a connection")
struct ConnectionPartsTests {
    @Test("The first packet of a round is sent immediately, and later packets at the end of the round")
    func corks() {
        var pacing = SocketPacing()
        let steps: [(messages: Int, round: UInt64, isCorked: Bool)] = [
            (1, 1, false), (0, 1, true), (1, 1, false),
        ]
        for step in steps { check(pacing.corks(step.messages, round: step.round), is: step.isCorked) }
        pacing.uncorked()
        check(pacing.corks(1, round: 2), is: false)
        check(pacing.corks(2, round: 3), is: true, "several are corked from the first on")
    }

    @Test("Acknowledgements are collected after three messages, or after two in quick succession")
    func company() {
        var pacing = SocketPacing()
        let steps: [(messages: Int, time: Int, hasCompany: Bool)] = [
            (1, 0, false), (3, 10, true), (0, 11, false), (1, 11, true), (1, 13, false),
        ]
        for step in steps {
            check(pacing.expectsCompany(step.messages, at: .milliseconds(step.time)), is: step.hasCompany)
        }
    }

    @Test(
        "Received data is acknowledged immediately, except for acknowledgements that are being collected")
    func acknowledges() {
        for (only, isPatient, owes) in [(true, true, false), (true, false, true), (false, true, true)] {
            var pacing = SocketPacing()
            pacing.read(onlyAcknowledgements: only, isPatient: isPatient)
            #expect(pacing.owesAcknowledgement == owes)
        }
    }

    @Test("A written probe is distinguished from a stream message, once")
    func writes() {
        var writes = WriteTracker()
        writes.probe = 7
        let probes = [3, 7, 7].map { writes.wrote($0) }
        #expect(probes == [false, true, false])
        for count in [2, 0] { check(writes.takeStreams(), is: count) }
    }

    @Test("The newest of several requests for a filter counts, and withdrawn requests do not")
    func requests() {
        var requests = SubscriptionRequests()
        requests.sent(["a", "b", "c"], as: 1)
        requests.sent(["b"], as: 2)
        requests.withdraw("c")
        check(requests.answered(1, [0, 1, 2]).map(\.filter), is: ["a"])
        check(requests.answered(2, [128]).map(\.code), is: [128])
        check(requests.answered(1, [0]).map(\.code), is: [])
    }

    @Test("The broker's reason takes precedence over the library's log, and the log over a socket error")
    func clues() {
        var clues = FailureClues()
        func code(isAccepted: Bool = false) -> MQTTError.Code {
            clues.error(19, 0, isAccepted: isAccepted, tls: nil, host: "h", broker: "b").code
        }
        #expect(code() == .keepAliveTimeout)
        clues.socketError = 111
        #expect(code() == .connectionRefused)
        clues.complaint = "wrong version number"
        #expect(code(isAccepted: true) == .connectionLost)
        clues.refusal = MQTTError(.badCredentials, broker: "b", explanation: "no")
        #expect(code() == .badCredentials)
    }

    @Test(
        "Lost events are reported at the first loss, at powers of ten, and with the rest at the next connect"
    )
    func drops() {
        var drops = DropReport()
        check((0...100).filter { drops.isDue($0) }, is: [1, 10, 100])
        check(drops.isDueAtConnect(100), is: false)
        check([100, 101, 109].map { drops.isDue($0) }, is: [false, true, false])
        check([109, 109].map { drops.isDueAtConnect($0) }, is: [true, false])
    }
}
