import Bluetooth
import JSON
import ProtocolVectors
import Testing
import VirtualDevices

/// Runs every worked example of docs/protocols/vectors/tap.json against the simulated TAP.
@Suite("The simulated TAP and the worked examples")
struct TapVectorTests {
    /// The kinds of examples that a client writes.
    static let written: Set = [
        "input-command", "vibration", "air-state-request", "data-request", "framed-command",
    ]
    /// The kinds of examples that a TAP notifies or returns for a read.
    static let notified: Set = ["tap", "mouse", "air", "version", "text", "charge", "framed-report"]
    static let others: Set = ["subscription", "conversation", "combination"]
    private static let file = VectorFile.named("tap")

    private static func vectors(_ kinds: Set<String>) -> [ProtocolVector] {
        file.vectors.filter { kinds.contains($0.kind) }
    }

    @Test("A TAP carries out the command of the example", arguments: vectors(["input-command"]))
    func takesCommand(_ vector: ProtocolVector) throws {
        let hex = Hex.string(vector.bytes)
        var bench = TapBench(VirtualTap.Choices(.xr))
        guard let mode = vector.means["mode"]?.string else {
            #expect(bench.write(TapBench.command, hex).first == "written")
            // A strap ignores the XR state.
            bench = TapBench(VirtualTap.Choices(.strap2))
            #expect(bench.write(TapBench.command, hex) == ["written"])
            return
        }
        // The test starts in a different mode, so that the change is reported.
        if mode == "text" { _ = bench.write(TapBench.command, "030C0001") }
        _ = bench.pass(.seconds(1))
        #expect(bench.write(TapBench.command, hex) == ["written", "mode \(mode) by command"])
    }

    @Test("A vibration lasts as long as in the example", arguments: vectors(["vibration"]))
    func vibrates(_ vector: ProtocolVector) throws {
        let durations = try #require(vector.means["durations_ms"]?.array).compactMap(\.integer)
        // The alternating start and stop times of the motor.
        var expected: [Int] = []
        var time = 0
        for (index, duration) in durations.enumerated() {
            if index.isMultiple(of: 2), duration > 0 { expected += [time, time + duration] }
            time += duration
        }
        var bench = TapBench()
        let start = bench.now
        let first = bench.write(TapBench.haptics, Hex.string(vector.bytes))
        #expect(first.first == "written")
        let felt =
            first.filter { $0.hasPrefix("vibrate") }.map { _ in 0 }
            + bench.pass(.seconds(10)).filter { $0.what.hasPrefix("vibrate") }
            .map { Int(($0.at - start) / .milliseconds(1)) }
        #expect(felt == expected)
    }

    @Test(
        "A TAP answers the request of the example", arguments: vectors(["air-state-request", "data-request"]))
    func answers(_ vector: ProtocolVector) throws {
        let answer = try #require(vector.answer)
        var bench = TapBench(controlled: .strap2)
        let happened = bench.write(try #require(vector.at), Hex.string(vector.bytes), withResponse: false)
        #expect(happened == ["written", "\(answer.at) \(Hex.string(answer.bytes))"])
    }

    /// The actions that make the simulated TAP send the bytes of an example.
    struct Recipe: Sendable {
        var choices = VirtualTap.Choices()
        /// The wearer's actions. A word with `s` waits for this number of seconds.
        var acts: [String]

        init(_ acts: String..., choose: (inout VirtualTap.Choices) -> Void = { _ in }) {
            self.acts = acts
            choose(&choices)
        }
    }

    private static let recipes: [String: Recipe] = [
        "T17": Recipe("5") { $0.tapLength = 1 }, "T17b": Recipe("3"),
        "T17c": Recipe("2", "wait 1", "2 double shift") { $0.sendsTapInterval = true },
        "T17d": Recipe("8 triple locked switch"), "T17e": Recipe("shift locked"),
        "T17f": Recipe("31") { $0.tapLength = 1 }, "T18": Recipe("mouse 1 2"),
        "T18b": Recipe("mouse -10 300 dt 10 lifted"),
        "T18c": Recipe("mouse 1 2 angles 10 20 30") { $0.sendsAngles = true },
        // A TAP is not known to send this without a request.
        "T18d": Recipe("send mouse 01 01 00 02 00 00 00 00 00 01"), "T19-on": Recipe("air-mouse on"),
        "T19-standby": Recipe("air-mouse on", "air-mouse off"),
        "T19-optical": Recipe("air-mouse optical-1"), "T19b-up": Recipe("gesture one_finger_up"),
        "T19b-right": Recipe("gesture two_fingers_right"),
    ]

    @Test("A TAP sends the notification of the example", arguments: vectors(["tap", "mouse", "air"]))
    func notifies(_ vector: ProtocolVector) throws {
        let recipe = try #require(Self.recipes[vector.name])
        var bench = TapBench(recipe.choices)
        _ = bench.write(TapBench.command, "030C0001")
        var said: [String] = []
        for act in recipe.acts {
            if act == "wait 1" { _ = bench.pass(.seconds(1)) } else { said = bench.act(act) }
        }
        let at = try #require(vector.at)
        #expect(said == ["\(at) \(Hex.string(vector.bytes))"])
    }

    @Test("A TAP returns the value of the example", arguments: vectors(["version", "text", "charge"]))
    func reads(_ vector: ProtocolVector) throws {
        let at = try #require(vector.at)
        // The strap of the example is the oldest product. All other examples are from a TapXR.
        var bench = TapBench(VirtualTap.Choices(vector.means["version"] == 30_200 ? .strap : .xr))
        if at == "c3ff0003" { #expect(bench.write(at, Hex.string(vector.bytes)) == ["written"]) }
        #expect(bench.read(at) == ["value \(Hex.string(vector.bytes))"])
    }

    @Test(
        "Each combination types the key of the example and is notified", arguments: vectors(["combination"]))
    func types(_ vector: ProtocolVector) throws {
        let number = try #require(vector.bytes.first)
        var bench = TapBench(VirtualTap.Choices(.strap2))
        #expect(bench.act("\(number)") == ["key \(vector.means["key"]?.string ?? "")"])
        bench = TapBench(controlled: .strap2)
        #expect(bench.act("\(number)") == ["c3ff0005 \(Hex.string(vector.bytes))000000"])
    }

    @Test("Notifications require a subscription", arguments: vectors(["subscription"]))
    func subscribes(_ vector: ProtocolVector) throws {
        var bench = TapBench(controlled: .strap2)
        let at = try #require(vector.at)
        let id = bench.id(at)
        _ = bench.handle(.subscribed(id, false))
        #expect(bench.act("5") == ["unheard in controller"])
        _ = bench.handle(.subscribed(id, vector.bytes == [1, 0]))
        #expect(bench.act("5") == ["c3ff0005 05000000"])
    }

    /// The wearer's action for each notification of a conversation.
    private static let acts: [String: [String]] = [
        "T20": ["air-mouse on", "2", "1", "air-mouse off", "2"],
        "T21": [
            "hand open 1", "hand thumb-index 1", "hand thumb-index 1", "hand open 1", "hand thumb-index 1",
        ],
        "T10": [],
    ]

    @Test("A TAP behaves as the conversation describes", arguments: vectors(["conversation"]))
    func converses(_ vector: ProtocolVector) throws {
        var acts = try #require(Self.acts[vector.name])[...]
        var bench = TapBench(controlled: .xr)
        _ = bench.pass(.seconds(1))
        for step in vector.steps {
            switch step {
            case .device(let packet):
                let act = acts.popFirst()
                #expect(bench.act(try #require(act)) == ["\(packet.at) \(Hex.string(packet.bytes))"])
            case .client(let packet, _):
                let happened = bench.write(packet.at, Hex.string(packet.bytes))
                #expect(happened.first == "written" && !happened.contains("hurried"))
            case .pause(let milliseconds): _ = bench.pass(.milliseconds(milliseconds))
            case .application, .wearer: break
            }
        }
        #expect(acts.isEmpty)
    }
}
