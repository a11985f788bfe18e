import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("The handshake with the belt of every known library")
struct BeltHandshakeTests {
    @Test("The steps run in order, and the belt is ready when all values are known")
    func order() {
        var bench = BeltBench.connected()
        #expect(
            bench.take().filter { !$0.hasPrefix("navigation") } == [
                "subscribe FE02", "subscribe FE06", "subscribe FE04", "subscribe FE09", "subscribe FE14",
                "read FE01", "firmware 52, variant 0", "read FE09",
                #"battery = {"level":75.5,"power":"battery","remaining_s":25920,"current_ma":-200,"voltage_mv":3800}"#,
                "> FE05 01 01", #"mode = "wait""#, "> FE05 01 02", "intensity = 50", "> FE05 01 03",
                "heading_offset = 45", "> FE05 10 01 03", #"accuracy_signal = "both""#, "subscribe FE0C",
                "ready", #"haptic = {"playing":null}"#, "> FE05 10 01 25", "> FE05 10 01 0F",
            ])
    }

    @Test("A keep-alive during the handshake is answered ahead of all other writes (N01, C11)")
    func keepAlive() {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        _ = bench.take()
        bench.notify(BeltGATT.keepAlive, "01 03")
        #expect(bench.take() == ["> FE02 00 ahead", #"mode = "app""#])
        bench.notify(BeltGATT.keepAlive, "01")
        #expect(bench.take() == ["> FE02 00 ahead"])
    }

    @Test("A refused access at any step requests pairing, with advice", arguments: 0..<12)
    func refused(step: Int) {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        for _ in 0..<step { proceed(&bench) }
        #expect(!bench.isReady)
        _ = bench.take()
        let effects = bench.machineEffects(
            ofRefusing: OperationError(.notPermitted, "org.bluez.Error.NotPermitted"))
        let failure = effects.compactMap { effect -> DeviceFailure? in
            guard case .fail(let failure) = effect else { return nil }
            return failure
        }
        #expect(failure.map(\.code) == [.pairingRequired])
        #expect(failure.first?.advice?.contains("hold the home button for 5 seconds") == true)
    }

    @Test("A failed optional step is skipped; any other failure ends the handshake", arguments: 0..<12)
    func failing(step: Int) {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        for _ in 0..<step { proceed(&bench) }
        _ = bench.take()
        bench.complete(OperationError(.failed, "0x0E"))
        let isOptional = [4, 6, 9, 10].contains(step)
        #expect(bench.take().contains("fail handshake") == !isOptional)
    }

    @Test(
        "A missing answer after 1 s ends the handshake only for required values",
        arguments: [(7, true), (8, true), (9, false), (10, false)])
    func silent(step: Int, isNeeded: Bool) {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        for _ in 0..<step { proceed(&bench) }
        bench.complete()
        _ = bench.take()
        bench.advance(by: .milliseconds(999))
        #expect(bench.take() == [])
        bench.advance(by: .milliseconds(1))
        #expect(bench.take().contains("fail handshake") == isNeeded)
    }

    @Test("A keep-alive can provide the mode")
    func modeFromKeepAlive() {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        for _ in 0..<7 { proceed(&bench) }
        bench.complete()
        bench.notify(BeltGATT.keepAlive, "01 02")
        _ = bench.take()
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["> FE05 01 02"])
    }

    @Test("A belt that is not ready within 20 s is disconnected")
    func tooSlow() {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        bench.advance(by: .seconds(19))
        #expect(!bench.take().contains("fail handshake"))
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["fail handshake"])
    }

    @Test("Firmware 4, variant 4 gets the corrected front range (N20)")
    func patch() {
        var bench = BeltBench.connected(firmware: 4, variant: 4)
        let writes = bench.takeWrites()
        #expect(writes.prefix(2) == ["FE05 10 01 0A", "FE05 11 0A 02 E1 00 A0 00 E1 00 01"])
        #expect(bench.isReady)
    }

    @Test("A device without a required characteristic is not a belt", arguments: BeltGATT.required)
    func otherDevice(_ missing: CharacteristicID) {
        var profile = BeltGATT.profile
        profile.characteristics[missing] = nil
        var bench = BeltBench()
        bench.feed(.connected(profile))
        #expect(bench.take().contains("fail notThisFamily"))
    }

    @Test("A belt without the newer characteristics is accepted")
    func oldBelt() {
        var profile = BeltGATT.profile
        for optional in BeltGATT.optional { profile.characteristics[optional] = nil }
        var bench = BeltBench.connected(profile: profile)
        #expect(bench.isReady)
        #expect(!bench.take().contains("subscribe FE14"))
    }

    @Test("A firmware value that is too short ends the handshake")
    func shortFirmware() {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        for _ in 0..<5 { proceed(&bench) }
        bench.complete(read: [1])
        #expect(bench.take().contains("fail handshake"))
    }

    @Test("Commands during the handshake are refused as offline; navigation is kept")
    func commands() {
        var bench = BeltBench()
        bench.feed(.connected(BeltGATT.profile))
        _ = bench.take()
        bench.command("vibrate", "90")
        bench.command("navigation", "90")
        #expect(
            bench.take() == [
                "#1 device_offline", #"#2 ok {"kept":true}"#,
                #"navigation = {"state":"navigating","direction":90,"reference":"magnetic","signal":"navigating"}"#,
            ])
    }

    /// Completes one operation successfully, and answers it.
    private func proceed(_ bench: inout BeltBench) {
        guard let next = bench.operations.first else { return }
        bench.complete(read: bytes("34 00 00 00 00 00 00 00 00"))
        bench.answer(next, .wait)
    }
}

extension BeltBench {
    /// Returns the effects of a refusal of the operation in progress.
    fileprivate func machineEffects(ofRefusing error: OperationError) -> [Effect] {
        var machine = machine
        switch operations.first {
        case .write(let write):
            return machine.effects(of: .writeCompleted(write.token, write.characteristic, .failure(error)))
        case .read(let id): return machine.effects(of: .readCompleted(id, .failure(error)))
        case .subscribe(let id): return machine.effects(of: .subscribed(id, .failure(error)))
        default: return []
        }
    }
}
