import DeviceKit
import JSON
import Testing
import VirtualDevices

@testable import DeviceCatalog

@Suite("The family with the virtual belt and its wearer")
struct VirtualBeltTests {
    @Test("The belt becomes ready and reports its state")
    func handshake() {
        let couple = BeltCouple.connected()
        #expect(couple.isReady)
        #expect(couple.mode == "wait")
        #expect(couple.reports["intensity"] == 50)
        #expect(couple.reports["heading_offset"] == 45)
        #expect(couple.reports["accuracy_signal"] == "both")
        #expect(couple.reports["pairing_required"] == false)
        #expect(couple.reports["battery"]?["level"]?.double == 80)
        #expect(couple.reports["navigation"]?["state"] == "stopped")
    }

    @Test("A belt that requires a bond is ready only after bonding")
    func bonding() {
        var couple = BeltCouple.connected { $0.pairing = .anytime }
        #expect(couple.failures.map(\.code) == [.pairingRequired])
        couple.connect(bonded: true)
        #expect(couple.isReady)
    }

    @Test("A belt that counts missed keep-alives stays connected")
    func keepAlive() {
        var couple = BeltCouple.connected { $0.missedReplies = 2 }
        couple.command("vibrate", "90", run: .seconds(60))
        #expect(couple.isReady && couple.failures.isEmpty)
        #expect(couple.answers[1]?.isWrongMode == true)
        couple.command("mode", "compass")
        #expect(couple.answers[2] == .ok)
    }

    @Test("In app mode, a vibration on the right runs motor 4 until a stop")
    func vibrate() {
        var couple = BeltCouple.connected()
        couple.command("mode", "app")
        couple.command("vibrate", "90")
        #expect(couple.felt == [4])
        couple.run(.seconds(30))
        #expect(couple.mode == "app" && couple.felt == [4])
        couple.command("stop", "all")
        #expect(couple.felt == [])
        #expect((1...3).map { couple.answers[$0] } == [.ok, .ok, .ok])
        #expect(couple.rejected.isEmpty)
    }

    @Test("Every vibration that the family allows is accepted by the belt")
    func accepted() {
        var couple = BeltCouple.connected()
        couple.command("vibrate", #"{"channel":0,"motors":[0,8],"iterations":2}"#)
        couple.command("pulse", #"{"channel":0,"motor":4,"iterations":1}"#)
        couple.command("notify", "warning")
        couple.command("notify", "critical_warning")
        couple.command("notify", #"{"kind":"direction","direction":0}"#)
        couple.command("signal", "destination_reached")
        couple.command("sound", "success")
        couple.command("vibrate", #"{"motor":3,"enter_app_mode":true}"#)
        couple.run(.seconds(10))
        #expect((1...8).allSatisfy { couple.answers[$0] == .ok })
        #expect(couple.rejected.isEmpty)
        #expect(couple.mode == "app" && couple.felt == [3])
    }

    @Test("Every setting is confirmed by the belt and published")
    func settings() {
        var couple = BeltCouple.connected()
        couple.command("intensity", "60")
        couple.command("heading_offset", #"{"heading_offset":300,"persist":true}"#)
        couple.command("accuracy_signal", "compass")
        couple.command("pairing_required", "false")
        couple.command("orientation", #"{"period_ms":100}"#)
        #expect((1...5).allSatisfy { couple.answers[$0] == .ok })
        #expect(couple.reports["intensity"] == 60)
        #expect(couple.reports["heading_offset"] == 300)
        #expect(couple.reports["accuracy_signal"] == "compass")
        #expect(couple.rejected.isEmpty)
    }

    @Test("While the wearer turns around once, the motor follows the bearing")
    func turnRound() {
        var couple = BeltCouple.connected()
        couple.command("navigation", "90")
        #expect(couple.mode == "app" && couple.navigation == "navigating")
        var motors: [[Int]] = []
        for heading in stride(from: 0, to: 360, by: 45) {
            couple.act("turn \(heading)")
            motors.append(couple.felt)
        }
        #expect(motors == [[4], [2], [0], [14], [12], [10], [8], [6]])
        #expect(couple.vibrations.count == 1)
    }

    @Test("The wearer pauses, resumes, uses the compass, returns with home, and switches the belt off")
    func buttons() {
        var couple = BeltCouple.connected()
        couple.command("navigation", "90")
        couple.act("press pause")
        #expect(couple.mode == "pause" && couple.navigation == "paused" && couple.felt == [])
        couple.act("press pause")
        #expect(couple.mode == "app" && couple.navigation == "navigating" && couple.felt == [4])
        couple.act("press home")
        #expect(couple.events.last == #"home {"navigating":true}"#)
        couple.act("press compass")
        #expect(couple.mode == "compass" && couple.navigation == "paused" && couple.felt == [0])
        couple.act("press home")
        #expect(couple.mode == "app" && couple.navigation == "navigating" && couple.felt == [4])
        couple.act("press power long")
        #expect(couple.beltMode == "standby" && couple.mode == "unknown" && couple.navigation == "paused")
        #expect(couple.failures.map(\.code) == [.poweredOff])
    }

    @Test("After a lost link, navigation resumes on the next link")
    func linkLoss() {
        var couple = BeltCouple.connected()
        couple.command("navigation", "90")
        couple.drop()
        #expect(couple.felt == [] || couple.navigation == "navigating")
        couple.run(.seconds(5))
        couple.command("navigation", "180")
        #expect(couple.answers[2] == .kept)
        couple.connect()
        #expect(couple.mode == "app" && couple.felt == [8])
    }

    @Test("A stop returns the belt to wait")
    func stop() {
        var couple = BeltCouple.connected()
        couple.command("navigation", "90")
        couple.command("navigation", "stop")
        #expect(couple.mode == "wait" && couple.navigation == "stopped" && couple.felt == [])
        #expect(couple.answers[2] == .ok)
    }

    @Test("Ten directions within 100 ms become at most two packets, the last with the newest")
    func throttle() throws {
        var couple = BeltCouple.connected()
        couple.command("navigation", "0")
        let before = couple.vibrations.count
        for direction in 1...10 { couple.command("navigation", "\(direction * 9)", run: .milliseconds(9)) }
        couple.run(.seconds(1))
        let sent = couple.vibrations.dropFirst(before)
        #expect(sent.count <= 2)
        #expect(
            try #require(sent.last).bytes == bytes("02 01 AA AA 00 00 03 5A 00 00 00 00 F4 01 00 00 00 00"))
        #expect(couple.felt == [4])
        #expect((2...11).allSatisfy { couple.answers[$0] == .ok || couple.answers[$0] == .superseded })
    }

    @Test("A mode that the firmware lacks is not set, and the next command works")
    func refusedMode() {
        var couple = BeltCouple.connected { $0.firmware = [0x2B, 0x00, 0x00] }
        couple.command("mode", "crossing")
        #expect(couple.answers[1] != nil && couple.answers[1] != .ok)
        couple.command("mode", "compass")
        #expect(couple.answers[2] == .ok)
    }
}

extension DeviceKit.Answer {
    fileprivate var isWrongMode: Bool {
        guard case .failed(let error) = self else { return false }
        return error.code == .wrongMode
    }
}
