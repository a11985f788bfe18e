import Testing

@testable import Claims

@Suite("Ownership of a device when bridges, brokers or links are lost")
struct ClaimLivesTests {
    // MARK: Proof by advertisements

    @Test("Two advertisements a second after a claim void it, and a repeated claim is accepted")
    func air() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 1 linked"), .beSilent, nil),
            Row(1.5, .advertised, .nothing, nil),
            Row(1.9, .advertised, .nothing, nil),
            Row(2, .advertised, .nothing, nil),
        ])
        #expect(table.machine.isHeldElsewhere(table.peers))
        table.play([Row(2.1, .advertised, .republish, "1 released")])
        #expect(!table.machine.isHeldElsewhere(table.peers))
        table.play([
            // The device accepts two centrals.
            Row(3, .hear("a 1 linked"), .beSilent, nil),
            Row(5, .advertised, .nothing, nil),
            Row(6, .advertised, .nothing, nil),
            Row(7, .advertised, .nothing, nil),
            // Another link is not affected.
            Row(8, .hear("a 2 linked"), .nothing, nil),
            Row(9, .advertised, .nothing, nil),
            Row(9.1, .advertised, .republish, "2 released"),
        ])
    }

    @Test(
        "Advertisements void no claim with a score, since its bridge knows that the device advertises anyway")
    func airProof() {
        for (claim, isKnown) in [("a 1 linked -70", true), ("a 1 linked", false)] {
            var table = ClaimTable()
            table.play([
                Row(0, .settle, .republish, "0 released"),
                Row(1, .hear(claim), .beSilent, nil),
                Row(12, .advertised, .nothing, nil),
                Row(13, .advertised, isKnown ? .nothing : .republish, isKnown ? nil : "1 released"),
            ])
            #expect(table.machine.advertisesElsewhere(table.peers) == isKnown)
            #expect(table.machine.advertisesLinked == isKnown)
        }
    }

    @Test("Two working links show that the device advertises while it has a link")
    func twoLinks() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("a 2 linked", since: "8"), .challenge, "1 linked"),
            Row(2.1, .proved("9"), .sayAgain, "3 linked"),
        ])
        #expect(!table.machine.advertisesLinked)
        table.play([
            Row(2.2, .hear("a 4 linked", since: "8"), .challenge, "3 linked"),
            Row(2.3, .proved("9"), .drop, "3 linked"),
        ])
        #expect(table.machine.advertisesLinked)
    }

    @Test("A retained claim can be voided by advertisements again")
    func storedAir() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 1 linked"), .beSilent, nil),
            Row(2, .advertised, .nothing, nil),
            Row(2.1, .advertised, .republish, "1 released"),
            Row(3, .stored("a 1 linked"), .beSilent, nil),
            Row(4, .advertised, .nothing, nil),
            Row(4.1, .advertised, .republish, "1 released"),
        ])
    }

    @Test("Advertisements do not count for a bridge with a link, or against a released claim")
    func noAir() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 1 released"), .beSilent, nil),
            Row(3, .advertised, .nothing, nil),
            Row(4, .advertised, .nothing, nil),
            Row(5, .link, .republish, "2 linked"),
            Row(6, .hear("a 3 linked"), .challenge, "2 linked"),
            Row(8, .advertised, .nothing, "2 linked"),
            Row(9, .advertised, .nothing, "2 linked"),
        ])
    }

    // MARK: Offline bridges

    @Test(
        "The claim of an offline bridge is void, and the claim of a bridge that may be offline is undecided")
    func lives() {
        var dead = ClaimTable()
        dead.play([
            Row(0, .dead("a"), .nothing, nil),
            Row(0, .stored("a 3 linked"), .nothing, nil),
            Row(0, .settle, .republish, "3 released"),
        ])
        for isAlive in [true, false] {
            var table = ClaimTable()
            table.play([
                Row(0, .presumed("a"), .nothing, nil),
                Row(0, .stored("a 3 linked"), .nothing, nil),
                Row(0, .settle, .nothing, nil),
            ])
            #expect(table.machine.isUndecided)
            if isAlive {
                table.play([
                    Row(1, .presumed(), .nothing, nil), Row(1, .reconsider, .beSilent, nil),
                ])
            } else {
                table.play([
                    Row(2, .dead("a"), .nothing, nil), Row(2, .reconsider, .republish, "3 released"),
                ])
            }
        }
    }

    @Test("An owner that returns with its link owns the topics again")
    func returning() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 1 linked"), .beSilent, nil),
            Row(2, .dead("a"), .nothing, nil),
            Row(2, .reconsider, .republish, "1 released"),
            Row(3, .dead(), .nothing, "1 released"),
            Row(3, .reconsider, .nothing, "1 released"),
            Row(3, .hear("a 1 linked"), .beSilent, nil),
            Row(4, .hear("c 2 linked"), .nothing, nil),
            Row(5, .dead("c"), .nothing, nil),
            Row(5, .reconsider, .republish, "2 released"),
            Row(6, .dead(), .nothing, "2 released"),
            // Its epoch is not higher. It receives this claim and raises the epoch.
            Row(6, .hear("c 2 linked"), .sayAgain, "2 released"),
            Row(7, .hear("c 3 linked"), .beSilent, nil),
        ])
    }

    @Test("A claim in the name of an offline bridge is answered once")
    func deadVoice() {
        var table = ClaimTable()
        table.play([
            Row(0, .dead("a"), .nothing, nil),
            Row(0, .settle, .republish, "0 released"),
            Row(1, .hear("a 4 linked"), .sayAgain, "4 released"),
            Row(2, .hear("a 4 linked"), .nothing, "4 released"),
        ])
    }

    @Test(
        "Without an owner the first bridge takes over, and every other bridge waits half a second per preceding bridge"
    )
    func order() {
        for place in 0...2 {
            var table = ClaimTable(place: place)
            guard place > 0 else {
                table.play([Row(0, .settle, .republish, "0 released")])
                continue
            }
            let pause = Double(place) / 2
            table.play([
                Row(0, .settle, .nothing, nil),
                Row(pause - 0.01, .timeIsUp, .nothing, nil),
            ])
            #expect(table.machine.deadline == .seconds(pause))
            var late = table
            table.play([Row(pause, .timeIsUp, .republish, "0 released")])
            #expect(table.machine.deadline == nil)
            late.play([
                Row(pause - 0.01, .hear("a 0 released"), .beSilent, nil),
                Row(pause, .timeIsUp, .nothing, nil),
            ])
            #expect(late.machine.deadline == nil)
        }
    }

    // MARK: Broker and process

    @Test("A link keeps the ownership while the broker is disconnected, and claims its epoch again")
    func brokerLost() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .listen, .nothing, nil),
        ])
        #expect(table.machine.isSpeaking)
        table.play([
            Row(3, .stored("b 1 linked"), .nothing, nil),
            Row(3, .settle, .nothing, "1 linked"),
        ])
    }

    @Test("A claim that arrived while the broker was disconnected is challenged")
    func claimedMeanwhile() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .listen, .nothing, nil),
            Row(3, .stored("a 2 linked"), .nothing, nil),
            Row(3, .settle, .challenge, "1 linked"),
        ])
    }

    @Test(
        "The last owner continues after a reconnect, whatever the broker retains, unless another bridge has taken over"
    )
    func lastSpeaker() {
        let before = [
            Row(0, .settle, .nothing, nil),
            Row(1, .hear("a 1 linked"), .beSilent, nil),
            Row(2, .link, .republish, "2 linked"),
            Row(3, .unlink, .nothing, "2 released"),
            Row(4, .listen, .nothing, nil),
        ]
        for stored in ["b 2 released", "a 1 linked", nil] {
            var table = ClaimTable(place: 2)
            table.play(before)
            #expect(table.machine.isUndecided)
            if let stored { table.play([Row(5, .stored(stored), .nothing, nil)]) }
            table.play([Row(5, .settle, .republish, "2 released")])
        }
        var table = ClaimTable(place: 2)
        table.play(
            before + [Row(5, .stored("a 3 linked"), .beSilent, nil), Row(5, .settle, .nothing, nil)])
    }

    @Test("A restarted bridge continues as owner, at any place of the order")
    func restart() {
        var table = ClaimTable(place: 2)
        table.play([
            Row(0, .listen, .nothing, nil),
            Row(0, .stored("b 3 linked"), .nothing, nil),
            Row(0, .settle, .republish, "3 released"),
            Row(1, .link, .nothing, "4 linked"),
        ])
    }

    @Test(
        "Two processes of one id, each with a link, raise the epoch at most four times a second"
    )
    func sameID() {
        var table = ClaimTable()
        table.play([
            Row(0, .settle, .republish, "0 released"),
            Row(1, .link, .nothing, "1 linked"),
            Row(2, .hear("b 2 linked"), .sayAgain, "3 linked"),
            Row(2.01, .hear("b 4 linked"), .nothing, "3 linked"),
            Row(2.02, .hear("b 4 linked"), .nothing, "3 linked"),
            Row(2.25, .timeIsUp, .sayAgain, "5 linked"),
            Row(2.26, .hear("b 6 linked"), .nothing, "5 linked"),
            // When the other process stops, no claim is left to deny.
            Row(2.5, .timeIsUp, .sayAgain, "7 linked"),
            Row(3, .timeIsUp, .nothing, "7 linked"),
        ])
    }
}
