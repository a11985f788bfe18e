import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("A belt over a Bluetooth proxy")
struct BeltProxyTests {
    private static let profile: LinkProfile = {
        var profile = BeltGATT.profile
        profile.isOverProxy = true
        return profile
    }()

    private static func online(_ mode: BeltMode = .app, settings: Arguments = [:]) -> BeltBench {
        BeltBench.online(settings, mode: mode, profile: profile)
    }

    private static let longest = #"{"events":[{"kind":"continuous","duration":5}]}"#
    private static let tooLong = #"{"events":[{"kind":"continuous","duration":5.001}]}"#

    private static let refused: [(String, String)] = [
        ("vibrate", "90"), ("vibrate", #"{"direction":90,"iterations":1,"period_ms":5001}"#),
        ("vibrate", #"{"channel":0,"direction":90,"iterations":1,"period_ms":5001}"#),
        ("vibrate", #"{"direction":90,"iterations":11}"#),
        ("vibrate", #"{"direction":90,"iterations":1,"exclusive":true}"#),
        ("vibrate", #"{"direction":90,"signal":"navigating"}"#),
        ("vibrate", #"{"direction":90,"signal":"approaching_destination"}"#),
        ("pulse", "90"), ("pulse", #"{"direction":90,"iterations":1,"series_period_ms":5001}"#),
        ("pulse", #"{"direction":90,"iterations":1,"exclusive":true}"#),
        ("haptic", tooLong), ("haptic", #"{"pattern":"heavy","repeat":100}"#),
        ("notify", "battery"), ("notify", "destination_reached"),
        ("notify", #"{"kind":"destination_reached","stop_navigation":true}"#),
        ("signal", "warning"), ("navigation", "90"), ("navigation", #"{"direction":90}"#),
        ("navigation", #"{"state":"navigating","direction":90}"#), ("navigation", "start"),
        ("mode", "compass"), ("mode", "crossing"), ("mode", #"{"mode":"calibration","confirm":true}"#),
        ("intensity", "60"), ("accuracy_signal", "both"), ("accuracy_signal", "app"),
        ("reset", #"{"parameters":true,"confirm":true}"#),
        ("gatt", #"{"characteristic":"FE03","hex":"3002"}"#),
        ("gatt", #"{"characteristic":"FE03","hex":"0001AAAA00000001010000017B0000000000"}"#),
        ("gatt", #"{"characteristic":"FE05","hex":"01810300"}"#),
    ]

    @Test("What the belt may not end within 5 s is refused, and nothing is written", arguments: refused)
    func refuse(_ feature: String, _ payload: String) {
        var bench = Self.online(settings: ["expert": true])
        let id = bench.command(feature, payload)
        #expect(bench.take() == ["#\(id) not_supported"])
        #expect(bench.refusal?.reason == .proxy)
        #expect(bench.refusal?.message.contains("Bluetooth proxy") == true)
        bench.advance(by: .seconds(20))
        #expect(bench.take() == [])
    }

    @Test("Without a proxy, the same commands are carried out", arguments: refused)
    func local(_ feature: String, _ payload: String) {
        var bench = BeltBench.online(["expert": true], mode: .app)
        bench.command(feature, payload)
        #expect(bench.refusal?.reason != .proxy)
    }

    @Test("A refusal names the duration that was found in whole milliseconds")
    func refusalText() throws {
        var bench = Self.online()
        bench.command("vibrate", #"{"direction":90,"iterations":1,"period_ms":5001}"#)
        #expect(try #require(bench.refusal).message.hasSuffix("; found 5001 ms"))
    }

    @Test(
        "Vibrations of exactly 5 s are accepted, whatever factors they consist of",
        arguments: [
            ("vibrate", #"{"direction":90,"iterations":1,"period_ms":5000}"#),
            ("vibrate", #"{"direction":90,"iterations":10,"period_ms":500}"#),
            ("vibrate", #"{"direction":90,"iterations":125,"period_ms":40}"#),
            ("vibrate", #"{"direction":90,"signal":"direction"}"#),
            ("vibrate", #"{"signal":"critical_warning"}"#),
            ("pulse", #"{"direction":90,"iterations":1,"series_period_ms":5000}"#),
            ("haptic", longest), ("haptic", "heavy"), ("notify", #"{"kind":"direction","direction":90}"#),
            ("notify", "warning"), ("notify", "critical_warning"),
        ])
    func accept(_ feature: String, _ payload: String) throws {
        var bench = Self.online()
        let id = bench.command(feature, payload)
        bench.acknowledge()
        #expect(bench.refusal == nil)
        #expect(bench.answers[id]?.count == 1)
        let vibrations = Self.vibrations(bench)
        #expect(!vibrations.isEmpty)
        for vibration in vibrations {
            #expect(try #require(vibration.length) <= .seconds(5))
            // An exclusive vibration could make that of another channel last longer.
            #expect(vibration == vibration.besideOthers)
        }
    }

    /// The vibrations that the bridge has written, as the belt decodes them.
    private static func vibrations(_ bench: BeltBench) -> [BeltVibrationCommand] {
        bench.effects.compactMap { effect in
            guard case .write(let write) = effect, write.characteristic == BeltGATT.vibration else {
                return nil
            }
            return BeltVibrationCommand(write.value)
        }.filter(\.startsVibration)
    }

    @Test(
        "Commands that start no vibration are carried out",
        arguments: [
            ("stop", ""), ("stop", "2"), ("haptic", "stop"), ("vibrate", #"{"channel":2,"intensity":0}"#),
            ("mode", "wait"), ("mode", "pause"), ("mode", #"{"mode":"standby","confirm":true}"#),
            ("navigation", "stop"), ("intensity", #"{"intensity":60,"feedback":false}"#),
            ("accuracy_signal", "off"), ("sound", "start"), ("orientation", "true"), ("heading_offset", "45"),
            ("device_name", "Left"), ("error_log", ""), ("calibration", "true"), ("raw_values", "true"),
            ("pairing_required", "true"), ("gatt", #"{"characteristic":"FE01"}"#),
        ])
    func others(_ feature: String, _ payload: String) {
        var bench = Self.online(settings: ["expert": true])
        bench.command(feature, payload)
        #expect(bench.refusal == nil)
    }

    @Test("On connecting, the belt is stopped before anything else; without a proxy it is not")
    func stopFirst() {
        var bench = BeltBench()
        bench.feed(.connected(Self.profile))
        #expect(
            bench.take().prefix(3) == [
                "> FE03 00 00 00 00 00 00 01 00 00 00 00 01 01 00 00 00 00 00 ahead", "> FE03 30 FF ahead",
                "subscribe FE02",
            ])
        var local = BeltBench()
        local.feed(.connected(BeltGATT.profile))
        #expect(local.take().first == "subscribe FE02")
    }

    @Test("Navigation from an earlier link, or kept while the belt was away, is paused and not shown")
    func earlierNavigation() {
        var bench = BeltBench.online(mode: .app)
        bench.command("navigation", "90")
        bench.acknowledge()
        bench.feed(.disconnected)
        bench.command("navigation", "45")
        _ = bench.take()
        bench.connect(mode: .wait, profile: Self.profile)
        #expect(bench.machine.navigation.state == .paused && bench.machine.navigation.target.direction == 45)
        #expect(Self.requestsAndVibrations(bench.take()) == [])
        #expect(bench.remarks.last?.contains("navigation is paused") == true)
        // An adapter of the host shows the direction again, when it is requested.
        bench.feed(.disconnected)
        bench.connect(mode: .app)
        bench.command("navigation", "start")
        bench.acknowledge()
        #expect(bench.take().contains { $0.hasPrefix("> FE03 02 01") })
    }

    @Test("A direction that arrives during the handshake is not shown")
    func duringHandshake() {
        var bench = BeltBench()
        bench.feed(.connected(Self.profile))
        bench.command("navigation", "90")
        bench.connect(mode: .app, profile: Self.profile)
        bench.advance(by: .seconds(1))
        #expect(bench.machine.navigation.state == .paused)
        #expect(Self.requestsAndVibrations(bench.take()) == [])
    }

    @Test(
        "The wearer's buttons do not resume navigation",
        arguments: [(BeltButton.home, BeltMode.wait), (.home, .pause), (.pause, .pause), (.home, .app)])
    func buttons(_ button: BeltButton, _ mode: BeltMode) {
        var bench = BeltBench.online(mode: .app)
        bench.command("navigation", "90")
        bench.acknowledge()
        bench.feed(.disconnected)
        bench.connect(mode: mode, profile: Self.profile)
        _ = bench.take()
        bench.press(button, mode, mode)
        bench.acknowledge()
        #expect(bench.machine.navigation.state == .paused)
        #expect(Self.requestsAndVibrations(bench.take()) == [])
    }

    /// The requests for modes, and the vibrations, except silence.
    private static func requestsAndVibrations(_ lines: [String]) -> [String] {
        lines.filter { line in
            line.hasPrefix("> FE05 01 81")
                || line.hasPrefix("> FE03") && !line.contains("FE03 30")
                    && !line.contains("FE03 00 00 00 00")
        }
    }

    @Test("A pattern does not change the mode in which the belt shows north")
    func compass() {
        var bench = Self.online(.compass)
        bench.command("haptic", #"{"events":[{"kind":"continuous","duration":1}]}"#)
        bench.acknowledge()
        bench.advance(by: .seconds(2), acknowledges: true)
        #expect(bench.refusal == nil)
        #expect(!bench.take().contains { $0.hasPrefix("> FE05 01 81") })
    }

    @Test("A pattern that is refused leaves the pattern that plays, and its answer")
    func refusedPattern() {
        var bench = Self.online()
        let first = bench.command("haptic", Self.longest)
        bench.command("haptic", Self.tooLong)
        bench.acknowledge()
        #expect(bench.answers[first]?.count == 1)
        #expect(bench.machine.isPlaying)
    }

    @Test("The longest pattern is silent 5 s later, even if the bridge ends")
    func silence() {
        var bench = Self.online()
        bench.command("haptic", Self.longest)
        bench.acknowledge()
        #expect(bench.machine.vibrations.mayBeFelt(in: .app, at: bench.now))
        #expect(!bench.machine.vibrations.mayBeFelt(in: .app, at: bench.now + .seconds(5)))
    }

    @Test("Before the link is closed, the belt acknowledges the stop")
    func closing() {
        var bench = Self.online()
        bench.command("vibrate", #"{"direction":90,"iterations":1,"period_ms":5000}"#)
        bench.acknowledge()
        _ = bench.take()
        bench.feed(.close)
        #expect(!bench.take().contains("disconnect"))
        bench.acknowledge()
        #expect(bench.take().last == "disconnect")
    }
}
