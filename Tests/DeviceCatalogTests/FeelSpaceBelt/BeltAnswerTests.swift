import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Every command is answered exactly once, whatever happens to the link")
struct BeltAnswerTests {
    private static let commands: [(String, String)] = [
        ("mode", "pause"), ("intensity", "60"), ("heading_offset", "1"), ("accuracy_signal", "off"),
        ("pairing_required", "on"), ("signal", "warning"), ("stop", ""), ("notify", "warning"),
        ("sound", "start"), ("device_name", "x"), ("reset", #"{"confirm":true}"#),
        ("vibrate", #"{"direction":9,"enter_app_mode":true}"#),
        ("pulse", #"{"direction":9,"enter_app_mode":true}"#), ("orientation", "off"), ("orientation", "on"),
        ("orientation", #"{"period_ms":100}"#), ("navigation", "90"),
    ]

    @Test("A command is answered once if the link is lost after it", arguments: commands)
    func lost(_ feature: String, _ payload: String) {
        var bench = BeltBench.connected(mode: .compass)
        bench.command(feature, payload)
        let isDone = bench.answers[1] != nil
        bench.feed(.disconnected)
        #expect(bench.answers[1]?.count == 1)
        switch (feature, isDone) {
        case ("navigation", _): #expect(bench.answers[1] == [.kept])
        case (_, true): #expect(bench.answers[1] == [.ok])
        default: #expect(bench.take().contains("#1 device_offline"))
        }
        bench.acknowledge()
        bench.advance(by: .seconds(60))
        #expect(bench.answers[1]?.count == 1)
    }

    @Test("A command is answered once if the belt refuses the write", arguments: commands)
    func refused(_ feature: String, _ payload: String) {
        var bench = BeltBench.connected(mode: .compass)
        bench.command(feature, payload)
        let isDone = bench.answers[1] != nil
        // If the command ends a subscription, that operation comes first. Its failure has no consequences.
        if case .unsubscribe = bench.operations.first { bench.complete() }
        bench.complete(OperationError(.failed, "0x80"))
        bench.acknowledge()
        bench.advance(by: .seconds(60))
        #expect(bench.answers[1]?.count == 1)
        #expect(isDone || bench.take().contains("#1 device_error"))
    }

    @Test(
        "An operation error is converted to the error code of the answer",
        arguments: [
            (OperationError.Code.timeout, CommandError.Code.timeout), (.disconnected, .deviceOffline),
            (.notSupported, .notSupported), (.notPermitted, .deviceError), (.invalidLength, .deviceError),
            (.failed, .deviceError),
        ])
    func codes(_ cause: OperationError.Code, _ code: CommandError.Code) {
        #expect(CommandError(OperationError(cause, "")).code == code)
    }

    @Test(
        "Commands in progress are answered once if the session closes the link, or the belt switches off",
        arguments: commands)
    func closed(_ feature: String, _ payload: String) {
        var bench = BeltBench.connected(mode: .compass)
        bench.command(feature, payload)
        bench.command(feature, payload)
        var other = bench
        bench.feed(.close)
        #expect(bench.answers.values.allSatisfy { $0.count == 1 } && bench.answers.count == 2)
        other.press(.power, .compass, .standby, type: 3)
        #expect(other.answers.values.allSatisfy { $0.count == 1 } && other.answers.count == 2)
    }

    @Test("Commands run in order while one of them waits for its confirmation")
    func order() {
        var bench = BeltBench.online()
        bench.command("mode", "app")
        bench.command("vibrate", "90")
        bench.command("intensity", "60")
        #expect(bench.takeWrites() == ["FE05 01 81 03 00"])
        bench.acknowledge()
        bench.notify(mode: .app)
        #expect(
            bench.take() == [
                #"mode = "app""#, "#1 ok", "> FE03 01 01 AA AA 00 00 02 5A 00 00 00 00 F4 01 00 00 00 00",
                "> FE05 01 82 3C 00 01",
            ])
    }

    @Test("After a failed command, the next one runs")
    func orderAfterFailure() {
        var bench = BeltBench.connected()
        bench.command("mode", "app")
        bench.command("signal", "warning")
        bench.acknowledge()
        _ = bench.take()
        bench.advance(by: .seconds(1))
        #expect(bench.take() == ["#1 timeout", "> FE03 20 00"])
    }

    @Test("Too many queued commands are refused as busy")
    func busy() {
        var bench = BeltBench.connected()
        bench.command("mode", "app")
        for _ in 0..<64 { bench.command("sound", "start") }
        _ = bench.take()
        bench.command("sound", "start")
        #expect(bench.take() == ["#66 busy"])
        bench.command("stop", "")
        #expect(
            bench.take() == [
                "> FE03 00 00 00 00 00 00 01 00 00 00 00 01 01 00 00 00 00 00 ahead",
                "> FE03 30 FF ahead",
            ], "the belt may be in app mode by then")
    }

    @Test("A stop replaces queued vibrations, and also follows vibrations in progress")
    func stop() {
        var bench = BeltBench.connected(mode: .wait)
        bench.command("vibrate", #"{"direction":9,"enter_app_mode":true}"#)
        bench.command("vibrate", #"{"direction":9,"channel":2}"#)
        bench.command("vibrate", #"{"direction":9,"channel":1}"#)
        _ = bench.take()
        bench.command("stop", "1")
        #expect(
            bench.take() == [
                #"#3 ok {"superseded":true}"#, #"#1 ok {"superseded":true}"#, "#4 ok",
            ], "outside app mode the channel is silent")
        bench.acknowledge()
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == ["FE03 02 01 AA AA 00 00 02 09 00 00 00 00 F4 01 00 00 00 00"])
        bench.command("stop", "all")
        #expect(bench.takeWrites() == ["FE03 30 FF ahead", "FE03 30 FF"])
    }

    @Test("Standby by command is confirmed, and the belt counts as switched off")
    func standby() {
        var bench = BeltBench.online()
        bench.command("mode", #"{"mode":"standby","confirm":true}"#)
        #expect(bench.takeWrites() == ["FE05 01 81 00 00"])
        bench.acknowledge()
        bench.notify(mode: .standby)
        #expect(
            bench.take() == [
                #"mode = "standby""#, "#1 ok", #"mode = "unknown""#, "fail poweredOff",
            ])
    }
}
