import DeviceKit
import JSON
import Testing
import VirtualDevices

@testable import DeviceCatalog

@Suite("The family with the virtual TAP: the framed protocol and the pointer")
struct VirtualTapFramedTests {
    @Test(
        "The framed protocol, with the classic one or alone: taps, motion, gestures, standby, raw, vibration",
        arguments: [VirtualTap.Choices.Framed.beside, .only])
    func framed(_ framed: VirtualTap.Choices.Framed) throws {
        var couple = TapCouple.connected(VirtualTap.Choices(.xr)) { $0.framed = framed }
        #expect(couple.isReady && couple.info.model == "TapXR" && couple.info.bootloader == "012")
        #expect(couple.reports["sensing"]?["detection"] == true && couple.reports["sensing"]?["raw"] == false)
        couple.act("5")
        couple.act("mouse 1 2 angles 10 20 30")
        couple.act("gesture thumb_index_hold")
        #expect(
            couple.takeEvents() == [
                #"tapped {"combination":5,"fingers":["thumb","middle"],"repeat":null,"shift":null,"switch":null}"#,
                #"moused {"velocity_x":1,"velocity_y":2,"is_mouse":true,"dt":0,"roll":10,"pitch":20,"yaw":30}"#,
                #"air_gesture {"gesture":"thumb_index_hold","code":110}"#,
            ])
        #expect(couple.command("standby", "true") == .ok)
        #expect(couple.reports["standby"] == true)
        #expect(couple.command("standby", "false") == .ok)
        #expect(
            couple.command("sensing", #"{"standby_gesture":true,"raw":true,"vision_mode":"stream"}"#) == .ok)
        couple.act("standby on")
        #expect(couple.reports["standby"] == true)
        #expect(couple.command("sensitivity", #"{"gyro":5,"accelerometer":4}"#) == .ok)
        _ = couple.takeEvents()
        couple.run(.seconds(2))
        #expect((400...430).contains(couple.takeEvents().count { $0.hasPrefix("raw ") }))
        #expect(couple.command("vibrate", "[500,100,500]", run: .seconds(2)) == .ok)
        #expect(couple.vibrations.map(\.isOn) == [true, false, true, false])
        couple.run(.seconds(120))
        #expect(couple.told.filter { $0.details["because"] == "time-out" }.isEmpty, "it is kept up")
        couple.close()
        #expect(couple.told.suffix(4).allSatisfy { $0.event == "switch" && $0.details["on"] == "false" })
        #expect(couple.count("rejected") == 0 && couple.count("hurried") == 0)
    }

    @Test("A TAP with the framed protocol switches its functions off when its bridge is frozen")
    func framedTimeout() {
        var couple = TapCouple.connected(VirtualTap.Choices(.xr)) { $0.framed = .only }
        couple.isDead = true
        couple.run(.seconds(21))
        #expect(couple.told.filter { $0.details["because"] == "time-out" }.count == 2)
    }

    @Test("A TAP with the framed protocol that does not answer can still be used")
    func framedSilence() {
        var choices = VirtualTap.Choices(.xr)
        choices.framed = .only
        choices.answersQuestions = false
        choices.announcesSettings = true
        var couple = TapCouple.connected(choices)
        couple.run(.seconds(2))
        #expect(couple.isReady)
        couple.act("5")
        #expect(couple.takeEvents().count == 1)
        guard case .failed(let error) = couple.command("standby", "true", run: .seconds(3)) else {
            Issue.record("it was answered")
            return
        }
        #expect(error.code == .timeout)
    }

    @Test("A TapXR's hand clicks, drags and drops")
    func pointer() {
        var couple = TapCouple.connected(VirtualTap.Choices(.xr))
        couple.command("xr_state", "air_mouse")
        _ = couple.takeEvents()
        couple.act("hand thumb-index")
        couple.run(.seconds(1))
        couple.act("hand open")
        couple.run(.seconds(1))
        let actions = couple.takeEvents().filter { $0.hasPrefix("pointer") }
        let names = ["press", "drag", "drop"]
        #expect(
            actions.count == 3 && zip(actions, names).allSatisfy { $0.contains("\"\($1)\"") }, "\(actions)")
    }
}
