import Testing

@testable import Claims

@Suite("Ownership of a device")
struct DeviceClaimTests {
    @Test("Only a new link raises the epoch")
    func epoch() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .reconsider, .nothing, "1 linked"),
            Row(3, .unlink, .nothing, "1 released"),
            Row(4, .hear("c 1 released"), .sayAgain, "1 released"),
            Row(5, .link, .nothing, "2 linked"),
        ])
    }

    @Test("The highest epoch owns the topics, and a later link exceeds it")
    func highest() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 4 linked"), .beSilent, nil),
            Row(2, .hear("a 4 linked"), .nothing, nil),
            Row(3, .hear("a 4 released"), .nothing, nil),
        ])
        #expect(table.machine.wasElsewhere)
        table.play([Row(4, .link, .republish, "5 linked")])
        #expect(!table.machine.wasElsewhere)
    }

    @Test("With equal epochs the lower bridge id owns the topics")
    func ties() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("c 0 released"), .sayAgain, "0 released"),
            Row(2, .hear("a 0 released"), .beSilent, nil),
        ])
    }

    @Test("No claim is published before all retained claims have arrived, and a link waits for its epoch")
    func settling() {
        var table = ClaimTable()
        table.play([
            Row(0, .listen, .nothing, nil),
            Row(0, .link, .republish, nil),
            Row(0, .stored("a 7 linked"), .nothing, nil),
            Row(1, .settle, .nothing, "8 linked"),
        ])
        var unlinked = ClaimTable()
        unlinked.play([
            Row(0, .listen, .nothing, nil),
            Row(0, .stored("a 7 linked"), .beSilent, nil),
            Row(1, .settle, .nothing, nil),
        ])
    }

    // MARK: Old, forged and own claims

    @Test("A claim older than a known claim changes nothing, and the bridge with the newest claim answers it")
    func older() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 5 released"), .beSilent, nil),
            Row(2, .hear("c 3 linked"), .nothing, nil),
            Row(3, .link, .republish, "6 linked"),
            Row(4, .hear("c 3 linked"), .sayAgain, "6 linked"),
            Row(5, .hear("a 5 released"), .sayAgain, "6 linked"),
        ])
    }

    @Test("While a newer claim is open, older ones are not answered, because two bridges would never stop")
    func noEcho() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("a 5 linked"), .challenge, "1 linked"),
            Row(2, .hear("c 3 linked"), .nothing, "1 linked"),
        ])
    }

    @Test(
        "Old claims are answered every quarter of a second at most, because two bridges would send more and more"
    )
    func pace() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("c 0 released"), .sayAgain, "0 released"),
            Row(1.1, .hear("c 0 released"), .nothing, "0 released"),
        ])
        #expect(table.machine.deadline == .seconds(1.25))
        table.play([
            Row(1.2, .timeIsUp, .nothing, "0 released"), Row(1.25, .timeIsUp, .sayAgain, "0 released"),
            Row(1.3, .timeIsUp, .nothing, "0 released"),
        ])
    }

    @Test(
        "An epoch that no number of links can reach is ignored",
        arguments: [-1, Claim.highestEpoch + 1])
    func bounds(epoch: Int) {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a \(epoch) linked"), .nothing, "0 released"),
        ])
        #expect(table.machine.highest == 0)
    }

    @Test("The highest epoch does not exhaust the epochs: a proved link keeps the ownership")
    func lastEpoch() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("c \(Claim.highestEpoch) linked"), .challenge, "1 linked"),
            Row(3, .proved("2"), .sayAgain, "\(Claim.highestEpoch) linked"),
        ])
    }

    @Test("A forged claim in this bridge's name is answered by a linked, owning or standby bridge")
    func forged() {
        var linked = ClaimTable()
        linked.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("b 1 linked"), .nothing, "1 linked"),
            Row(3, .hear("b 4 linked"), .sayAgain, "5 linked"),
            Row(4, .hear("b 5 released"), .sayAgain, "5 linked"),
        ])
        var speaking = ClaimTable()
        speaking.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("b 0 released"), .nothing, "0 released"),
            Row(2, .hear("b 4 linked"), .sayAgain, "4 released"),
            Row(3, .hear("b 2 released"), .sayAgain, "4 released"),
        ])
        var silent = ClaimTable()
        silent.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 3 released"), .beSilent, nil),
            Row(2, .hear("b 2 linked"), .nothing, nil),
            Row(3, .hear("b 4 linked"), .republish, "4 released"),
        ])
    }

    // MARK: Challenges

    @Test("A disputed link is proved by the device: an answer raises the epoch, no answer yields")
    func challenge() {
        let claimed = [
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("a 2 linked", since: "5"), .challenge, "1 linked"),
        ]
        var proved = ClaimTable()
        proved.play(claimed + [Row(3, .proved("9"), .sayAgain, "3 linked")])
        var refuted = ClaimTable()
        refuted.play(
            claimed + [Row(3, .refuted, .beSilent, nil), Row(3, .unlink, .nothing, nil)])
    }

    @Test("A device that does not answer has no effect once the claim on it has ended")
    func lateRefutation() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("a 2 linked"), .challenge, "1 linked"),
            Row(2.5, .hear("a 2 released"), .sayAgain, "3 linked"),
            Row(3, .refuted, .nothing, "3 linked"),
            Row(3, .unlink, .nothing, "3 released"),
        ])
    }

    @Test("A claim without a link is not challenged: the epoch exceeds it")
    func released() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("a 4 released"), .sayAgain, "5 linked"),
        ])
    }

    @Test(
        "Of two working links the newer one is dropped, with equal dates that of the higher id",
        arguments: [("1", true), ("9", false), ("5", true), (nil, false)])
    func contest(since: String?, isDropped: Bool) {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("a 2 linked", since: since), .challenge, "1 linked"),
            Row(3, .proved("5"), .sayAgain, "3 linked"),
            Row(20, .hear("a 4 linked", since: since), .challenge, "3 linked"),
        ])
        if isDropped {
            table.play([
                Row(21, .proved("5"), .drop, "3 linked"), Row(21, .refuted, .beSilent, nil),
                Row(21, .unlink, .nothing, nil),
            ])
        } else {
            table.play([Row(21, .proved("5"), .sayAgain, "5 linked")])
        }
    }

    @Test("Another link of the rival restarts the proofs")
    func otherContest() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("a 2 linked", since: "1"), .challenge, "1 linked"),
            Row(3, .proved("5"), .sayAgain, "3 linked"),
            Row(4, .hear("a 4 linked", since: "2"), .challenge, "3 linked"),
            Row(5, .proved("5"), .sayAgain, "5 linked"),
            Row(6, .hear("c 6 linked", since: "2"), .challenge, "5 linked"),
            Row(7, .proved("5"), .sayAgain, "7 linked"),
        ])
    }
}
