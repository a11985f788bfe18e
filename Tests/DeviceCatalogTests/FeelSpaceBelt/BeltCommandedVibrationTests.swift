import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("The published vibrations of the belt")
struct BeltCommandedVibrationTests {
    /// The commands for a belt in app mode, its heading, and the expected value of `vibration`: each channel with its
    /// motors and intensity, and the intensity of each motor that vibrates.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var commands: [(feature: String, payload: String)]
        var heading: Int16?
        var channels: [String]
        var strengths: [Int: Int]
    }

    static let rows = [
        Row(
            testDescription: "nothing", commands: [], heading: 0, channels: [], strengths: [:]),
        Row(
            testDescription: "a direction from the front",
            commands: [("vibrate", #"{"direction":90,"intensity":60}"#)],
            heading: 180,
            channels: [
                #"{"channel":1,"source":"vibrate","pattern":"continuous","intensity":60,"direction":90,"#
                    + #""reference":"belt","motors":[4],"exclusive":false}"#
            ], strengths: [4: 60]),
        Row(
            testDescription: "several motors with the belt's own intensity",
            commands: [("vibrate", #"{"channel":5,"pattern":"single_long","motors":[8,0]}"#)], heading: nil,
            channels: [
                #"{"channel":5,"source":"vibrate","pattern":"single_long","intensity":50,"motors":[0,8],"exclusive":false}"#
            ], strengths: [0: 50, 8: 50]),
        Row(
            testDescription: "a magnetic direction while the belt faces west",
            commands: [("navigation", "90")], heading: -90,
            channels: [
                #"{"channel":2,"source":"navigation","pattern":"continuous","intensity":50,"direction":90,"#
                    + #""reference":"magnetic","motors":[8],"exclusive":false}"#
            ], strengths: [8: 50]),
        Row(
            testDescription: "a magnetic direction without the belt's orientation",
            commands: [("navigation", "90")], heading: nil,
            channels: [
                #"{"channel":2,"source":"navigation","pattern":"continuous","intensity":50,"direction":90,"#
                    + #""reference":"magnetic","motors":null,"exclusive":false}"#
            ], strengths: [:]),
        Row(
            testDescription: "a pattern that chooses its motors",
            commands: [("vibrate", #"{"pattern":"circle_right"}"#)], heading: 0,
            channels: [
                #"{"channel":1,"source":"vibrate","pattern":"circle_right","intensity":50,"motors":null,"exclusive":false}"#
            ], strengths: [:]),
        Row(
            testDescription: "the stronger of two channels",
            commands: [
                ("vibrate", #"{"channel":3,"motor":1,"intensity":20}"#),
                ("pulse", #"{"channel":1,"motors":[1,2],"intensity":10}"#),
            ], heading: nil,
            channels: [
                #"{"channel":1,"source":"pulse","pattern":"pulse","intensity":10,"motors":[1,2],"exclusive":false}"#,
                #"{"channel":3,"source":"vibrate","pattern":"continuous","intensity":20,"motors":[1],"exclusive":false}"#,
            ], strengths: [1: 20, 2: 10]),
        Row(
            testDescription: "an exclusive channel beside another",
            commands: [
                ("vibrate", #"{"channel":3,"motor":1,"intensity":90}"#), ("notify", "critical_warning"),
            ], heading: nil,
            channels: [
                #"{"channel":0,"source":"notify","pattern":"single_long","intensity":50,"motors":[0,4,8,12],"exclusive":true}"#,
                #"{"channel":3,"source":"vibrate","pattern":"continuous","intensity":90,"motors":[1],"exclusive":false}"#,
            ], strengths: [0: 50, 4: 50, 8: 50, 12: 50]),
        Row(
            testDescription: "a channel that stops the others",
            commands: [
                ("vibrate", #"{"channel":3,"motor":1}"#),
                ("vibrate", #"{"channel":1,"motor":2,"clear_others":true}"#),
            ], heading: nil,
            channels: [
                #"{"channel":1,"source":"vibrate","pattern":"continuous","intensity":50,"motors":[2],"exclusive":false}"#
            ], strengths: [2: 50]),
        Row(
            testDescription: "a channel that was stopped",
            commands: [
                ("vibrate", #"{"channel":3,"motor":1}"#), ("vibrate", #"{"channel":1,"motor":2}"#),
                ("stop", "3"),
            ], heading: nil,
            channels: [
                #"{"channel":1,"source":"vibrate","pattern":"continuous","intensity":50,"motors":[2],"exclusive":false}"#
            ], strengths: [2: 50]),
        Row(
            testDescription: "a pattern", commands: [("haptic", #"{"pattern":"heavy","motor":4}"#)],
            heading: nil,
            channels: [
                #"{"channel":3,"source":"haptic","pattern":"continuous","intensity":100,"motors":[4],"exclusive":false}"#
            ], strengths: [4: 100]),
        Row(
            testDescription: "the belt's own signal", commands: [("signal", "warning")], heading: 0,
            channels: [],
            strengths: [:]),
    ]

    private func said(_ channels: [String], _ strengths: [Int: Int]) throws -> JSON.Value {
        [
            "channels": .array(try channels.map { try JSON.Value(parsing: Array($0.utf8)) }),
            "strengths": .array((0..<16).map { .integer(strengths[$0] ?? 0) }),
        ]
    }

    private func online(_ mode: BeltMode = .app) -> BeltBench {
        var bench = BeltBench.connected(mode: mode)
        if mode == .app { bench.command("mode", "app") }
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        return bench
    }

    /// Returns a belt that vibrates on channel 3 until a stop.
    private func vibrating() throws -> BeltBench {
        var bench = online()
        bench.command("vibrate", #"{"channel":3,"motor":1}"#)
        bench.acknowledge()
        try #require(bench.vibrations.last?.value["channels"]?.array?.count == 1)
        bench.advance(by: .seconds(1))
        return bench
    }

    @Test("The channels are published as commanded, with the resulting intensities", arguments: rows)
    func table(_ row: Row) throws {
        var bench = online()
        if let heading = row.heading {
            bench.feed(.notification(BeltGATT.orientation, BeltOrientationReading(heading: heading).bytes))
        }
        for (feature, payload) in row.commands {
            bench.command(feature, payload)
            bench.acknowledge()
        }
        bench.advance(by: .milliseconds(100))
        #expect(bench.vibrations.last?.value == (try said(row.channels, row.strengths)))
    }

    @Test("A ready belt has no vibration; a vibration is published after the belt's acknowledgment")
    func acknowledged() throws {
        var bench = online()
        #expect(bench.vibrations.map(\.value) == [try said([], [:])])
        bench.command("vibrate", #"{"motor":1}"#)
        #expect(bench.vibrations.count == 1)
        bench.complete(OperationError(.failed, "no"))
        bench.advance(by: .seconds(1))
        #expect(bench.vibrations.count == 1, "the belt refused it")
    }

    /// The causes that end the vibration of a channel.
    enum End: String, CaseIterable {
        case stop, stopAll, everything, suspend, wearersPause, compass, lostLink, close, standby
    }

    @Test("After any stop and without a link, no vibration is published", arguments: End.allCases)
    func ends(_ end: End) throws {
        var bench = try vibrating()
        switch end {
        case .stop: bench.command("stop", "3")
        case .stopAll: bench.command("stop", "all")
        case .everything: bench.feed(.stop(.allStop))
        case .suspend: bench.feed(.stop(.suspend))
        case .wearersPause: bench.notify(mode: .pause)
        case .compass: bench.press(.compass, .app, .compass)
        case .lostLink: bench.feed(.disconnected)
        case .close: bench.feed(.close)
        case .standby: bench.notify(mode: .standby)
        }
        bench.acknowledge()
        #expect(bench.vibrations.last?.value == (try said([], [:])), "\(end)")
        let count = bench.vibrations.count
        bench.advance(by: .seconds(10))
        #expect(bench.vibrations.count == count, "\(end)")
    }

    @Test("A vibration with iterations ends automatically, on time")
    func limited() throws {
        var bench = online(.wait)
        bench.command("vibrate", #"{"channel":0,"motor":1,"iterations":3,"period_ms":500}"#)
        bench.acknowledge()
        #expect(bench.vibrations.last?.value["strengths"]?.array?[1] == 50)
        bench.advance(by: .milliseconds(1499))
        #expect(bench.vibrations.last?.value["strengths"]?.array?[1] == 50)
        bench.advance(by: .milliseconds(1))
        #expect(bench.vibrations.last?.value == (try said([], [:])))
    }

    @Test("A vibration that the belt does not accept in its mode is not published")
    func outsideAppMode() throws {
        let hex = "03 01 AA AA 00 00 02 5A 00 00 00 FF F4 01 00 00 00 00"
        let payload = #"{"characteristic":"FE03","hex":"\#(hex)"}"#
        var bench = BeltBench.connected(["expert": true], mode: .wait)
        bench.command("gatt", payload)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.vibrations.count == 1)
        bench.notify(mode: .app)
        bench.command("gatt", payload)
        bench.acknowledge()
        #expect(bench.vibrations.last?.value["channels"]?.array?.first?["source"] == "gatt")
    }

    @Test("At most one message is published in 100 ms, and the newest state is always published")
    func limit() throws {
        var bench = try vibrating()
        let before = bench.vibrations.count
        for intensity in 1...100 {
            bench.command("vibrate", #"{"channel":3,"motor":1,"intensity":\#(intensity)}"#)
            bench.acknowledge()
            bench.advance(by: .milliseconds(13))
        }
        bench.advance(by: .milliseconds(100))
        let said = bench.vibrations.dropFirst(before)
        #expect((13...14).contains(said.count))
        for (one, next) in zip(said, said.dropFirst()) {
            #expect(next.time - one.time >= .milliseconds(100))
        }
        #expect(said.last?.value["strengths"]?.array?[1] == 100)
        bench.command("stop", "3")
        bench.acknowledge()
        bench.command("vibrate", #"{"channel":3,"motor":1,"intensity":100}"#)
        bench.acknowledge()
        let count = bench.vibrations.count
        bench.advance(by: .seconds(1))
        #expect(bench.vibrations.last?.value["strengths"]?.array?[1] == 100)
        #expect(bench.vibrations.count <= count + 1)
    }

    @Test("A turn is published if another motor is nearest; unchanged states are not published")
    func turning() throws {
        var bench = online()
        bench.command("navigation", "0")
        bench.acknowledge()
        let before = bench.vibrations.count
        for heading: Int16 in [0, 5, 11, 12, 20, 33, 34, 350] {
            bench.advance(by: .milliseconds(500))
            bench.feed(.notification(BeltGATT.orientation, BeltOrientationReading(heading: heading).bytes))
        }
        let motors = bench.vibrations.dropFirst(before).map { $0.value["channels"]?.array?.first?["motors"] }
        #expect(motors == [[0], [15], [14], [0]])
        bench.command("orientation", "off")
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.vibrations.last?.value["channels"]?.array?.first?["motors"] == .null)
    }

    @Test("A new default intensity applies to channels without their own intensity")
    func intensity() throws {
        var bench = try vibrating()
        bench.notify(BeltGATT.parameterNotification, "01 02 1E")
        #expect(bench.vibrations.last?.value["strengths"]?.array?[1] == 30)
    }
}
