import Bluetooth
import JSON
import ProtocolVectors
import Testing
import VirtualDevices

/// Runs every worked example of docs/protocols/vectors/belt.json against the simulated belt.
@Suite("The simulated belt and the worked examples")
struct BeltVectorTests {
    /// The kinds of examples that a client writes.
    static let written: Set = [
        "parameter-request", "vibration", "sound", "keep-alive-reply", "debug-request", "sensor-command",
    ]
    /// The kinds of examples that a belt notifies or returns for a read.
    static let notified: Set = [
        "keep-alive", "button", "parameter", "battery", "orientation", "firmware", "debug", "sensor",
    ]
    private static let file = VectorFile.named("belt")

    @Test(
        "A belt accepts the write of the example and answers it",
        arguments: file.vectors.filter { written.contains($0.kind) })
    func takes(_ vector: ProtocolVector) throws {
        var choices = VirtualBelt.Choices()
        // Only one firmware has the front range.
        if [vector.means["read"], vector.means["set"]].contains("front_range") {
            choices.firmware = [4, 0, 4]
        }
        var bench = BeltBench(choices)
        if vector.kind == "vibration" { _ = bench.write("FE05", "01810300") }
        let at = try #require(vector.at)
        let happened = bench.write(at, Hex.string(vector.bytes))
        #expect(happened.first == "written" && !happened.contains("rejected"))
        if let answer = vector.answer {
            #expect(happened.air == ["written", "\(answer.at) \(Hex.string(answer.bytes))"])
        }
        guard let isTaken = vector.means["outside_app_mode"]?.bool else { return }
        bench = BeltBench()
        #expect(bench.write(at, Hex.string(vector.bytes)).contains("rejected") == !isTaken)
    }

    /// The actions that make the simulated belt send the bytes of an example.
    struct Recipe: Sendable {
        enum Action: Sendable {
            case write(String, String)
            case line(String)
            case pass(Duration)
            case read(String)
            /// The belt is restarted, and the client reconnects.
            case restart
            /// The time advances to this duration after the start.
            case reach(Duration)
        }

        var actions: [Action]
        var firmware: [UInt8]?
        /// The byte ranges that must equal the example. The other bytes depend on the simulator's choices.
        var parts: [Range<Int>]

        init(_ actions: Action..., firmware: [UInt8]? = nil, parts: [Range<Int>] = [0..<64]) {
            (self.actions, self.firmware, self.parts) = (actions, firmware, parts)
        }
    }

    private static let app = Recipe.Action.write("FE05", "01810300")
    private static let pause = Recipe.Action.write("FE05", "01810400")
    private static let restarts = [Recipe.Action](repeating: .restart, count: 6)

    private static let recipes: [String: Recipe] = [
        "N01": Recipe(app, .pass(.seconds(2))),
        "N02": Recipe(app, .line("belt press pause")),
        "N03": Recipe(app, pause, .line("belt press pause")),
        "N04": Recipe(app, .line("belt press compass")),
        "N05": Recipe(.line("belt press home")),
        "N06": Recipe(.line("belt press power long")),
        "N07": Recipe(app), "N08": Recipe(.write("FE05", "0182370000")),
        "N09": Recipe(.write("FE05", "11000037")), "N10": Recipe(.write("FE05", "0103")),
        "N11": Recipe(.write("FE05", "1101006701")), "N12": Recipe(.write("FE05", "11030002")),
        "N13": Recipe(.write("FE05", "11250101")),
        // The simulated battery lasts eight hours, is charged instantly, and has its own voltage.
        "N14": Recipe(.line("belt battery 75.5"), parts: [0..<3, 5..<7]),
        "N15": Recipe(.line("belt battery 100 charging"), parts: [0..<3, 5..<9]),
        // The optional fields contain the same charge.
        "N16": Recipe(.line("belt battery 100 charging"), parts: [0..<3, 5..<13]),
        // The simulated belt is never tilted and has no unknown status.
        "N17": Recipe(.line("belt turn 90"), .pass(.milliseconds(500)), parts: [0..<5, 9..<16]),
        "N18": Recipe(
            .line("belt turn 270"), .line("belt compass inaccurate"), .pass(.milliseconds(500)),
            parts: [0..<5, 9..<13, 14..<16]),
        "N19": Recipe(.read("FE01"), firmware: [0x2D, 0, 1]),
        "N20": Recipe(.write("FE05", "10010A"), firmware: [4, 0, 4]),
        "N21": Recipe(.line("belt error 12345678")),
        "N22": log, "N23": log,
        // The values are gravity and north.
        "N24": Recipe(.write("FE0A", "0101"), .pass(.seconds(3)), parts: [0..<3]),
        "N25": Recipe(.write("FE05", "110F006400")),
        "N26-offsets": Recipe(.write("FE05", "10010D")), "N26-gains": Recipe(.write("FE05", "10010E")),
        "N26-error": Recipe(.write("FE05", "10010F"), firmware: [51, 0, 0]),
        "N26-gyroscope": Recipe(.write("FE05", "100110")), "N26-status": Recipe(.write("FE05", "100111")),
    ]

    private static var log: Recipe {
        var recipe = Recipe()
        recipe.actions = restarts + [.reach(.seconds(10)), .line("belt error 2"), .write("FE13", "0B")]
        return recipe
    }

    @Test("A belt sends the example", arguments: file.vectors.filter { notified.contains($0.kind) })
    func says(_ vector: ProtocolVector) throws {
        let recipe = try #require(Self.recipes[vector.name])
        var choices = VirtualBelt.Choices()
        if let firmware = recipe.firmware { choices.firmware = firmware }
        choices.sendsBatteryExtras = vector.bytes.count > 9
        var bench = BeltBench(choices)
        var said: [String] = []
        for action in recipe.actions {
            switch action {
            case .write(let name, let hex): said += bench.write(name, hex)
            case .line(let line): said += bench.line(line)
            case .pass(let time): said += bench.pass(time).map(\.what)
            case .read(let name):
                said += bench.read(name).map { $0.replacing("value", with: name, maxReplacements: 1) }
            case .reach(let time): said += bench.pass(time - bench.now).map(\.what)
            case .restart:
                _ = bench.line("belt standby")
                _ = bench.pass(.milliseconds(200))
                _ = bench.handle(.disconnected)
                _ = bench.line("belt press power long")
                _ = bench.connect()
            }
        }
        let values = said.filter { $0.hasPrefix("\(vector.at ?? "") ") }.compactMap {
            Hex.bytes($0.dropFirst(5))
        }
        let expected = Self.parts(of: vector.bytes, recipe.parts)
        #expect(values.contains { Self.parts(of: $0, recipe.parts) == expected }, "it says \(said)")
    }

    private static func parts(of bytes: [UInt8], _ parts: [Range<Int>]) -> [[UInt8]] {
        parts.map { Array(bytes[$0.clamped(to: 0..<bytes.count)]) }
    }

    @Test(
        "A belt behaves as the conversation describes",
        arguments: file.vectors.filter { $0.kind == "conversation" })
    func converses(_ vector: ProtocolVector) {
        var bench = BeltBench()
        var said: [String] = []
        for step in vector.steps {
            switch step {
            case .device(let packet):
                #expect(!said.isEmpty, "it says nothing")
                guard !said.isEmpty else { continue }
                #expect(said.removeFirst() == "\(packet.at) \(Hex.string(packet.bytes))")
            case .client(let packet, _):
                #expect(said == [])
                let happened = bench.write(packet.at, Hex.string(packet.bytes))
                #expect(!happened.contains("rejected"))
                said = happened.air.filter { $0 != "written" }
            case .wearer(let button):
                #expect(said == [])
                said = bench.line("belt press \(button)").air
            case .application, .pause: #expect(said == [])
            }
        }
        #expect(said == [])
    }
}
