import Bluetooth
import JSON
import ProtocolVectors
import Testing
import VirtualDevices

/// A TAP with the framed protocol, and the worked examples of the protocol.
@Suite("The simulated TAP with the framed protocol")
struct TapFramedTests {
    private static func vectors(_ kind: String) -> [ProtocolVector] {
        VectorFile.named("tap").vectors.filter { $0.kind == kind }
    }

    /// The notifications for a command if the TAP announces each change, derived from the meaning of the example.
    private func reaction(_ means: JSON.Value, _ bytes: [UInt8]) -> [String] {
        let payload = Hex.string(Array(bytes.dropFirst(4)))
        func says(_ hex: String) -> [String] { ["c3ff000e " + hex] }
        switch (means["ask"]?.string, means.object?.members.first?.key) {
        case ("vision_mode", _): return says("0301000000")
        case ("vision_model", _): return says("0302000000")
        case ("sensitivity", _): return says("030300000302")
        case ("standby", _): return says("0200000000")
        case (.some, _): return says("03000000" + payload + "00")
        case (_, "switch"): return says("03000000" + payload)
        case (_, "vision_mode"): return says("03010000" + payload)
        case (_, "vision_model"): return says("03020000" + payload)
        case (_, "sensitivity"): return says("03030000" + payload)
        case (_, "standby"): return says("02000000" + payload)
        case (_, "durations_ms"): return ["vibrate true"] + says("03040000" + payload)
        default: return []
        }
    }

    @Test("A TAP carries out the command of the example", arguments: vectors("framed-command"))
    func takes(_ vector: ProtocolVector) throws {
        var bench = TapBench.framed { $0.announcesSettings = true }
        let happened = bench.write(try #require(vector.at), Hex.string(vector.bytes))
        #expect(happened == ["written"] + reaction(vector.means, vector.bytes))
    }

    /// The features that are switched on, the writes and the wearer's actions that make a TAP send the bytes of an
    /// example. Examples without a recipe are notifications that no TAP is known to send without a request.
    private static let recipes: [String: (on: [UInt8], written: [String], acts: [String])] = [
        "A20": ([1], [], ["5"]), "A22": ([4], [], ["standby on"]),
        "A22-awake": ([4], [], ["standby on", "standby off"]), "A23": ([], ["000000000201"], []),
        "A24": ([2], [], ["mouse 1 2 angles 10 20 30"]), "A25": ([], ["0100000002"], []),
        "A26": ([], ["0100010001"], []), "A27": ([], ["010102000304"], []),
    ]

    @Test("A TAP sends the notification of the example", arguments: vectors("framed-report"))
    func notifies(_ vector: ProtocolVector) throws {
        let hex = Hex.string(vector.bytes)
        let gesture = vector.means["air_gesture"]?["gesture"]?.string
        let recipe =
            Self.recipes[vector.name] ?? ([1], [], [gesture.map { "gesture \($0)" } ?? "send frame \(hex)"])
        var bench = TapBench.framed { $0.announcesSettings = !recipe.written.isEmpty }
        for feature in recipe.on { _ = bench.write(TapBench.frame, "00000000\(Hex.string([feature]))01") }
        var said: [String] = []
        for frame in recipe.written { said = bench.write(TapBench.frame, frame) }
        for act in recipe.acts { said = bench.act(act) }
        #expect(said.contains("c3ff000e \(hex)"))
    }

    @Test("The classic characteristics exist only if the scenario includes them")
    func tables() {
        func names(_ framed: VirtualTap.Choices.Framed) -> Set<String> {
            var choices = VirtualTap.Choices(.xr)
            choices.framed = framed
            return Set(
                VirtualTap(choices).services.flatMap(\.characteristics).map { BenchTap.name($0.id) })
        }
        let classic: Set = ["c3ff0005", "c3ff0006", "c3ff0009", "c3ff000a", "6e400002", "6e400003"]
        let frames: Set = ["c3ff000e", "c3ff000f"]
        #expect(names(.off).isSuperset(of: classic) && names(.off).isDisjoint(with: frames))
        #expect(names(.beside).isSuperset(of: classic.union(frames)))
        #expect(names(.only).isSuperset(of: frames) && names(.only).isDisjoint(with: classic))
    }

    @Test("A disabled feature is not notified, and the TAP types")
    func switches() {
        var bench = TapBench.framed()
        #expect(bench.act("1") == ["key A"])
        #expect(bench.act("gesture left") == ["unheard in text"])
        #expect(bench.act("mouse 1 2") == ["pointer 1 2"])
        #expect(bench.act("standby on") == ["unheard in text"])
        _ = bench.write(TapBench.frame, "000000000101")
        #expect(bench.act("1") == ["c3ff000e 0102000001"])
        _ = bench.write(TapBench.frame, "000000000100")
        #expect(bench.act("1") == ["key A"])
        bench = TapBench.framed(1) { $0.typesBesideFrames = true }
        #expect(bench.act("1") == ["c3ff000e 0102000001", "key A"])
    }

    @Test("In standby, neither taps nor gestures are notified, unless the scenario enables them")
    func standby() {
        var bench = TapBench.framed(1, 4)
        #expect(bench.act("standby on") == ["c3ff000e 0200000001"])
        #expect(bench.act("5") == ["key D"])
        #expect(bench.act("gesture fist") == ["unheard in text"])
        #expect(bench.write(TapBench.frame, "0304000000") == ["written"])
        #expect(bench.act("gesture fist") == ["c3ff000e 010300006d"])
        bench = TapBench.framed(1) { $0.isSilentInStandby = false }
        _ = bench.write(TapBench.frame, "0304000001")
        #expect(bench.act("5") == ["c3ff000e 0102000005"])
    }

    @Test("Without keep-alives, sensing stops; if no keep-alive was ever sent, it continues")
    func keepAlive() {
        var bench = TapBench.framed(1)
        _ = bench.pass(.seconds(60))
        #expect(bench.act("5") == ["c3ff000e 0102000005"])
        _ = bench.write(TapBench.frame, "02000000")
        _ = bench.pass(.seconds(19))
        _ = bench.write(TapBench.frame, "02000000")
        _ = bench.pass(.seconds(19))
        #expect(bench.act("5") == ["c3ff000e 0102000005"])
        _ = bench.pass(.seconds(1))
        #expect(bench.act("5") == ["key D"])
        bench = TapBench.framed(1) { $0.keepAliveTimeout = nil }
        _ = bench.write(TapBench.frame, "02000000")
        _ = bench.pass(.seconds(3600))
        #expect(bench.act("5") == ["c3ff000e 0102000005"])
    }

    @Test("The end of the connection switches all features off")
    func disconnect() {
        var bench = TapBench.framed(1)
        _ = bench.handle(.disconnected)
        _ = bench.connect()
        #expect(bench.write(TapBench.frame, "0001000001") == ["written", "c3ff000e 030000000100"])
    }

    @Test("Raw values are sent as frames, for the band only, with its ranges")
    func raw() throws {
        var bench = TapBench.framed(0) { $0.rawPeriod = .milliseconds(100) }
        let frames = bench.pass(.seconds(1)).compactMap { happened in
            happened.what.hasPrefix("c3ff000e ") ? Hex.bytes(happened.what.dropFirst(9)) : nil
        }
        #expect(frames.count >= 10 && frames.allSatisfy { $0.prefix(4) == [0, 1, 0, 0] && $0.count <= 244 })
        // A message has 16 bytes. The highest bit of its time marks fingers.
        let messages = frames.map { ($0.count - 8) / 16 }.reduce(0, +)
        #expect((200...210).contains(messages))
        #expect(frames.allSatisfy { $0[7] & 0x80 == 0 })
        _ = bench.write(TapBench.frame, "000000000000")
        #expect(bench.pass(.seconds(1)).isEmpty)
    }

    @Test(
        "An invalid frame is ignored, or rejected if the scenario requires it",
        arguments: [
            "", "020000", "02000001", "0000000005", "000000000501", "000000000102", "0002000001",
            "0100000003",
            "0100010002", "010102000604", "010102000501", "0102030001", "0304000002", "04000000",
        ])
    func ignores(_ frame: String) {
        let isKnown = frame == "010102000501"
        var bench = TapBench.framed()
        #expect(bench.write(TapBench.frame, frame) == (isKnown ? ["written"] : ["written", "rejected"]))
        bench = TapBench.framed { $0.rejection = 0x80 }
        #expect(bench.write(TapBench.frame, frame) == (isKnown ? ["written"] : ["refused 128", "rejected"]))
    }

    @Test("A TAP that does not answer queries still carries out commands")
    func silent() {
        var bench = TapBench.framed { $0.answersQuestions = false }
        #expect(bench.write(TapBench.frame, "0001000001") == ["written"])
        #expect(bench.write(TapBench.frame, "000000000101") == ["written"])
        #expect(bench.act("5") == ["c3ff000e 0102000005"])
    }
}
