import DeviceKit
import Testing
import VirtualDevices

@testable import DeviceCatalog

@Suite("Stops of one channel, of patterns and of queued commands")
struct BeltChannelStopTests: BeltSilencing {
    @Test("A stop of channel 0 is one write in every mode, and other channels continue", arguments: modes)
    func channelZero(_ mode: BeltMode) {
        var couple = couple(mode, .longest)
        if mode == .app { couple.command("vibrate", #"{"channel":2,"motor":9}"#) }
        couple.command("stop", "0")
        #expect(couple.answers[couple.lastCommand] == (mode == .pause ? .unconfirmed : .ok))
        #expect(couple.felt == (mode == .app ? [9] : own(couple)))
        #expect(couple.vibrations.last?.bytes == VirtualBelt.silence)
        #expect(couple.rejected.isEmpty)
    }

    @Test("Intensity 0 stops a channel in every mode", arguments: modes)
    func intensityZero(_ mode: BeltMode) {
        var couple = couple(mode, .longest)
        couple.command("vibrate", #"{"channel":0,"motor":6,"intensity":0}"#)
        #expect(couple.felt == own(couple))
        #expect(couple.answers[couple.lastCommand] == (mode == .pause ? .unconfirmed : .ok))
    }

    @Test("A belt that rejects writes with errors obeys stops, and no stop fails", arguments: modes)
    func rejecting(_ mode: BeltMode) {
        var choices = VirtualBelt.Choices()
        choices.rejection = .error(0x80)
        for kind in [BeltFeltKind.longest, .criticalWarning, .pulse] {
            var couple = couple(mode, kind, choices)
            couple.command("stop", "all")
            #expect(couple.felt == own(couple))
            #expect(couple.answers[couple.lastCommand] == (mode == .pause ? .unconfirmed : .ok))
        }
    }

    @Test(
        "After a stopped pattern that left compass mode, the compass resumes, but not navigation")
    func compassReturns() {
        var couple = couple(.compass, .pattern)
        #expect(couple.mode == "app" && couple.felt == [6])
        couple.command("stop", "all")
        #expect(couple.mode == "compass" && couple.felt == [0])
        couple.command("haptic", #"{"events":[{"kind":"continuous","duration":20}],"motor":6}"#)
        couple.command("haptic", "stop")
        #expect(couple.mode == "compass" && couple.felt == [0])
    }

    @Test("A step that a pattern played on channel 0 before app mode ends with the pattern")
    func bothChannels() {
        var couple = couple(.wait, .pattern)
        couple.command("mode", "app")
        #expect(Set(couple.vibrations.map { $0.bytes[0] }) == [0, 3])
        couple.command("haptic", "stop")
        #expect(couple.felt == [])
        let before = couple.feelings.count
        couple.run(.seconds(30))
        #expect(couple.feelings.count == before)
    }

    /// Returns a belt whose link has just accepted a write, so that the next write is delayed.
    private func busy() -> BeltCouple {
        var couple = BeltCouple.connected { $0.waitSignalPeriod = nil }
        couple.command("sound", "start", run: .zero)
        return couple
    }

    @Test("A vibration that is queued when a stop arrives is not felt", arguments: BeltFeltKind.allCases)
    func waiting(_ kind: BeltFeltKind) {
        var couple = busy()
        couple.command("mode", "app", run: .zero)
        let words = kind.rawValue.split(separator: " ", maxSplits: 1).map { String($0) }
        couple.command(words[0], words[1], run: .zero)
        let waiting = couple.lastCommand
        let before = couple.feelings.count
        couple.command("stop", "all", run: .seconds(5))
        #expect(couple.feelings.count == before, "\(kind)")
        #expect(couple.answers[waiting] == .superseded)
    }

    @Test("A direction that waits for app mode or the throttle is not shown after a stop")
    func waitingNavigation() {
        var couple = busy()
        couple.command("navigation", "90", run: .zero)
        couple.command("stop", "all", run: .seconds(5))
        #expect(couple.answers[2] == .superseded && couple.answers[3] == .ok)
        #expect(couple.feelings.isEmpty && couple.navigation == "paused")
        var fast = BeltCouple.connected()
        fast.command("navigation", "90", run: .seconds(1))
        fast.command("navigation", "180", run: .milliseconds(20))
        fast.command("navigation", "270", run: .milliseconds(1))
        fast.command("stop", "all", run: .seconds(5))
        #expect(fast.felt == [] && fast.answers[3] == .superseded)
    }

    @Test("A compass mode requested immediately before all/stop is left again")
    func compassOnItsWay() {
        var couple = busy()
        couple.command("mode", "compass", run: .zero)
        couple.stop(.allStop)
        #expect(couple.mode == "wait" && couple.felt == [])
    }

    @Test("A vibration on channel 0 that outlives the link is in the will of the next link")
    func outlivesLink() {
        var couple = couple(.wait, .longest)
        couple.drop()
        couple.run(.seconds(1))
        #expect(couple.felt == [6])
        couple.connect()
        couple.die()
        #expect(couple.felt == [])
    }
}
