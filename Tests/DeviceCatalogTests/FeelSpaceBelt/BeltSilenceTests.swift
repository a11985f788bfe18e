import DeviceKit
import Testing
import VirtualDevices

@testable import DeviceCatalog

/// Stops of commanded vibrations in each mode: the belt's state machine with a virtual belt.
@Suite("Silence in every mode")
struct BeltSilenceTests: BeltSilencing {
    @Test(
        "If the belt is certain to obey, vibrations stop immediately and permanently; its compass continues",
        arguments: modes, BeltFeltKind.allCases.filter { !$0.isSystemSignal })
    func certain(_ mode: BeltMode, _ kind: BeltFeltKind) {
        for cause in BeltStopKind.allCases {
            var couple = couple(mode, kind)
            // A pause by the wearer blocks patterns.
            if mode == .pause, kind == .pattern { continue }
            let title = "\(mode.name), \(kind), \(cause)"
            #expect(couple.felt != own(couple), "\(title): nothing is felt")
            let isPaused = couple.mode == "pause"
            commit(cause, &couple)
            if cause == .allStop { #expect(couple.mode != "compass" && couple.mode != "crossing") }
            if cause != .allStop, [.compass, .crossing].contains(mode), !kind.needsAppMode {
                #expect(couple.beltMode == mode.name, "\(title): the mode")
                // A crashed bridge publishes nothing.
                let published = cause == .shutdown ? "unknown" : mode.name
                #expect(cause == .death || couple.mode == published, "\(title): the published mode")
                #expect(couple.felt == [0], "\(title)")
            } else {
                #expect(couple.felt == own(couple), "\(title)")
            }
            let before = couple.feelings.count
            couple.run(.seconds(30))
            #expect(couple.feelings.count == before, "\(title): \(couple.feelings[before...])")
            if cause == .stopAll || cause == .stopEmpty {
                #expect(couple.answers[couple.lastCommand] == (isPaused ? .unconfirmed : .ok), "\(title)")
            }
            if cause == .allStop { #expect(couple.machine.isStopCertain == !isPaused, "\(title)") }
        }
    }

    @Test(
        "System signals stop if they use channel 0, otherwise they end automatically; the stop is unconfirmed",
        arguments: modes, BeltFeltKind.allCases.filter { $0.isSystemSignal })
    func signals(_ mode: BeltMode, _ kind: BeltFeltKind) {
        for place in VirtualBelt.Choices.SignalPlace.allCases {
            for cause in BeltStopKind.allCases {
                var choices = VirtualBelt.Choices()
                choices.systemSignals = place
                var couple = couple(mode, kind, choices)
                let title = "\(mode.name), \(kind), \(cause), \(place)"
                let isFelt = couple.felt != own(couple)
                #expect(isFelt, "\(title): nothing is felt")
                commit(cause, &couple)
                if place == .own { couple.run(.seconds(10)) }
                #expect(couple.felt == own(couple), "\(title)")
                if cause == .stopAll || cause == .stopEmpty {
                    #expect(couple.answers[couple.lastCommand] == .unconfirmed, "\(title)")
                    couple.run(.seconds(11))
                    couple.command("stop", "all")
                    #expect(
                        couple.answers[couple.lastCommand] == (mode == .pause ? .unconfirmed : .ok),
                        "\(title): it is over")
                }
                if cause == .allStop { #expect(!couple.machine.isStopCertain, "\(title)") }
            }
        }
    }

    @Test(
        "A belt that rejects writes in pause mode stays silent after the pause too",
        arguments: [BeltFeltKind.longest, .pulse, .criticalWarning], [BeltMode.wait, .compass, .crossing])
    func refusedInPause(_ kind: BeltFeltKind, _ mode: BeltMode) {
        for cause in [BeltStopKind.stopAll, .allStop, .suspend] {
            var choices = VirtualBelt.Choices()
            (choices.vibratesInPause, choices.channelsSurvive) = (false, true)
            var couple = couple(mode, kind, choices)
            couple.act("press pause")
            #expect(couple.mode == "pause" && couple.felt == [])
            commit(cause, &couple)
            if cause == .stopAll { #expect(couple.answers[couple.lastCommand] == .unconfirmed) }
            #expect(couple.machine.isStopCertain == (cause == .stopAll))
            #expect(couple.machine.will != .none, "it may come back")
            couple.act("press pause")
            #expect(couple.mode == mode.name && couple.felt == own(couple), "\(kind), \(mode), \(cause)")
            let before = couple.feelings.count
            couple.run(.seconds(10))
            #expect(couple.feelings.count == before)
        }
    }

    @Test("Without a stop, a vibration that survived the wearer's pause resumes")
    func survives() {
        var choices = VirtualBelt.Choices()
        (choices.vibratesInPause, choices.channelsSurvive) = (false, true)
        var couple = couple(.wait, .longest, choices)
        couple.act("press pause")
        #expect(couple.felt == [])
        couple.act("press pause")
        #expect(couple.felt == [6])
    }

    @Test("A channel that is suspended in another mode does not resume after a stop")
    func restingChannel() {
        for payload in ["all", "3", ""] {
            var choices = VirtualBelt.Choices()
            choices.channelsSurvive = true
            var couple = couple(.app, .intoAppMode, choices)
            couple.act("press compass")
            #expect(couple.mode == "compass" && couple.felt == [0])
            couple.command("stop", payload)
            #expect(couple.answers[couple.lastCommand] == .ok, "in compass mode it is not felt")
            couple.command("mode", "app")
            #expect(couple.mode == "app" && couple.felt == [], "stop \(payload)")
        }
        var choices = VirtualBelt.Choices()
        choices.channelsSurvive = true
        var other = couple(.app, .intoAppMode, choices)
        other.act("press compass")
        other.command("stop", "2")
        other.command("mode", "app")
        #expect(other.felt == [6], "another channel was stopped")
    }
}
