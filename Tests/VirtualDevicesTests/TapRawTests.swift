import Bluetooth
import Testing
import VirtualDevices

@Suite("The raw stream of a TAP")
struct TapRawTests {
    /// A message of a frame, as a client decodes it.
    struct Message: Hashable {
        var areFingers: Bool
        var timestamp: UInt32
        var samples: [Int]
    }

    /// Decodes the messages of a frame. Also returns the number of unused bytes after them.
    static func messages(_ frame: [UInt8]) -> (messages: [Message], rest: Int) {
        func number(_ place: Int, _ count: Int) -> UInt32 {
            (0..<count).reversed().reduce(0) { $0 << 8 | UInt32(frame[place + $1]) }
        }
        var place = 0
        var messages: [Message] = []
        while frame.count - place >= 4, number(place, 4) != 0 {
            let header = number(place, 4)
            let count = header >> 31 == 1 ? 15 : 6
            guard frame.count - place >= 4 + 2 * count else { break }
            messages.append(
                Message(
                    areFingers: count == 15, timestamp: header & 0x7FFF_FFFF,
                    samples: (0..<count).map { sample in
                        Int(Int16(truncatingIfNeeded: number(place + 4 + 2 * sample, 2)))
                    }))
            place += 4 + 2 * count
        }
        return (messages, frame.count - place)
    }

    private func streaming(
        _ choices: VirtualTap.Choices = .init(), mtu: Int = 247, _ command: String = "030C000A000000"
    ) -> TapBench {
        var bench = TapBench(choices, mtu: mtu)
        _ = bench.write(TapBench.command, command)
        return bench
    }

    @Test(
        "The number of samples per second is the product's sampling rate",
        arguments: [
            (VirtualTap.Choices.Model.strap, 200, 0), (.strap2, 200, 208), (.xr, 0, 208),
        ])
    func hasRates(model: VirtualTap.Choices.Model, fingers: Int, motions: Int) {
        var bench = streaming(VirtualTap.Choices(model))
        let frames = bench.frames(.seconds(10))
        let all = frames.flatMap { Self.messages($0).messages }
        #expect(abs(all.filter(\.areFingers).count - 10 * fingers) <= 1)
        #expect(abs(all.filter { !$0.areFingers }.count - 10 * motions) <= 1)
        #expect(frames.count == 500)
        #expect(frames.allSatisfy { $0.count <= 244 && $0.suffix(4) == [0, 0, 0, 0] })
        #expect(frames.allSatisfy { Self.messages($0).rest == 4 })
    }

    @Test("Both kinds of messages share frames, and each kind's time increases and is never zero")
    func keepsTime() {
        var bench = streaming()
        let frames = bench.frames(.seconds(2)).map { Self.messages($0).messages }
        #expect(frames.allSatisfy { Set($0.map(\.areFingers)).count == 2 })
        let fingers = frames.joined().filter(\.areFingers).map(\.timestamp)
        #expect(zip(fingers, fingers.dropFirst()).allSatisfy { $1 - $0 == 5 })
        let motions = frames.joined().filter { !$0.areFingers }.map(\.timestamp)
        #expect(zip(motions, motions.dropFirst()).allSatisfy { (4...5).contains($1 - $0) })
        #expect(fingers[0] > 0 && motions[0] > 0)
    }

    @Test("A refresh causes no gap, and another mode or the timeout ends the stream")
    func survivesRefresh() {
        var bench = streaming()
        var all = bench.frames(.seconds(10))
        #expect(bench.write(TapBench.command, "030C000A000000") == ["written"])
        all += bench.frames(.seconds(10))
        let fingers = all.flatMap { Self.messages($0).messages }.filter(\.areFingers).map(\.timestamp)
        #expect(zip(fingers, fingers.dropFirst()).allSatisfy { $1 - $0 == 5 })
        _ = bench.write(TapBench.command, "030C0001")
        #expect(bench.frames(.seconds(1)).isEmpty)
        _ = bench.write(TapBench.command, "030C000A000000")
        // At the time of the timeout, the mode ends before the next frame.
        #expect(bench.frames(.seconds(60)).count == 999)
    }

    @Test(
        "The counts follow the command's sensitivities, and values out of range give the default",
        arguments: [
            ("030C000A000000", 29.8, 7623.0), ("030C000A010203", 238, 3811), ("030C000A040101", 29.8, 15246),
            ("030C000A050604", 29.8, 1906), ("030C000A", 29.8, 7623),
        ])
    func scales(command: String, finger: Double, motion: Double) {
        var bench = streaming(.init(), command)
        let all = bench.frames(.seconds(20)).flatMap { Self.messages($0).messages }
        func mean(_ messages: [Message], _ sample: Int) -> Double {
            Double(messages.map { $0.samples[sample] }.reduce(0, +)) / Double(messages.count)
        }
        let thumb = mean(all.filter(\.areFingers), 2)
        #expect(abs(thumb / finger - 1) < 0.1)
        #expect(abs(mean(all.filter { !$0.areFingers }, 5) / motion - 1) < 0.1)
        #expect(all.filter(\.areFingers).allSatisfy { $0.samples.allSatisfy { abs($0) <= 512 } })
    }

    @Test("The scenario decides the effect of changed sensitivities and of a short raw command")
    func choosesUnknowns() {
        func spread(_ frames: [[UInt8]]) -> Int {
            frames.flatMap { Self.messages($0).messages }.filter(\.areFingers).map { $0.samples[2] }.max()
                ?? 0
        }
        var bench = streaming()
        _ = bench.frames(.seconds(1))
        _ = bench.write(TapBench.command, "030C000A010203")
        #expect(spread(bench.frames(.seconds(1))) > 200)
        var choices = VirtualTap.Choices()
        choices.sensitivityChange = .ignored
        choices.shortRaw = .ignored
        bench = streaming(choices)
        _ = bench.write(TapBench.command, "030C000A010203")
        #expect(spread(bench.frames(.seconds(1))) < 60)
        bench = TapBench(choices)
        #expect(bench.write(TapBench.command, "030C000A") == ["written", "rejected"])
    }

    @Test("Frames have no padding, or padding in every second frame")
    func choosesPadding() {
        var choices = VirtualTap.Choices()
        choices.rawPadding = .unpadded
        var bench = streaming(choices)
        #expect(bench.frames(.seconds(1)).allSatisfy { Self.messages($0).rest == 0 })
        choices.rawPadding = .mixed
        choices.paddingCount = 8
        bench = streaming(choices)
        #expect(bench.frames(.milliseconds(80)).map { Self.messages($0).rest } == [8, 0, 8, 0])
    }

    @Test("Fingers and motion can be sent in separate frames")
    func separates() {
        var choices = VirtualTap.Choices()
        choices.mixesMessages = false
        var bench = streaming(choices)
        let frames = bench.frames(.seconds(1)).map { Self.messages($0).messages }
        #expect(frames.allSatisfy { Set($0.map(\.areFingers)).count == 1 })
        #expect(frames.joined().count >= 406)
    }

    @Test("With a small MTU, only messages that fit are sent, one per frame")
    func fitsMTU() {
        var bench = streaming(.init(), mtu: 23)
        let frames = bench.frames(.seconds(1))
        #expect(frames.count >= 207 && frames.allSatisfy { $0.count == 20 })
        bench = streaming(.init(), mtu: 185)
        #expect(bench.frames(.seconds(1)).allSatisfy { $0.count <= 182 })
    }

    @Test("Nothing is sent without a subscription or developer mode, which settings can enable later")
    func needsPermission() {
        var choices = VirtualTap.Choices()
        choices.settings[3] = 0
        var bench = streaming(choices)
        #expect(bench.frames(.seconds(1)).isEmpty)
        #expect(bench.write("c3ff0002", "00000040") == ["written"])
        #expect(bench.frames(.seconds(1)).count == 50)
        _ = bench.handle(.subscribed(bench.id("6e400003"), false))
        #expect(bench.frames(.seconds(1)).isEmpty)
        _ = bench.handle(.subscribed(bench.id("6e400003"), true))
        #expect(bench.frames(.seconds(1)).count == 50)
    }

    @Test("A live line starts a stream with a rate in any mode, and stops it")
    func streamsByLine() {
        var bench = TapBench(controlled: .strap2)
        #expect(bench.act("raw 50") == [])
        let all = bench.frames(.seconds(4)).flatMap { Self.messages($0).messages }
        #expect(all.filter(\.areFingers).count == 200)
        #expect(abs(all.count - 408) <= 1)
        _ = bench.act("raw off")
        #expect(bench.frames(.seconds(1)).isEmpty)
        _ = bench.write(TapBench.command, "030C000A000000")
        #expect(!bench.frames(.seconds(1)).isEmpty)
        _ = bench.act("raw off")
        #expect(bench.frames(.seconds(1)).isEmpty)
    }

    @Test("A frame can be truncated, and arbitrary bytes can be sent")
    func cuts() {
        var bench = streaming()
        let cut = Hex.bytes(bench.act("raw cut").first?.dropFirst(9) ?? "") ?? []
        let read = Self.messages(cut)
        #expect(read.messages.count == 1 && read.rest == 8)
        #expect(bench.act("send raw 7B 00 00 00 64 00 9C FF C8 00") == ["6e400003 7b00000064009cffc800"])
    }

    @Test("The clock has 31 bits")
    func wraps() {
        var choices = VirtualTap.Choices()
        choices.clockStart = 0x7FFF_FFFF - 500
        var bench = streaming(choices)
        let all = bench.frames(.seconds(1)).flatMap { Self.messages($0).messages }
        #expect(all.count >= 406)
        #expect((all.last?.timestamp ?? 0) < 600)
    }

    @Test("If the scenario enables them, taps continue in raw mode and affect only their fingers")
    func tapsInRaw() {
        var choices = VirtualTap.Choices()
        choices.sendsEventsInRaw = true
        var bench = streaming(choices)
        _ = bench.frames(.seconds(1))
        #expect(bench.act("2") == ["c3ff0005 02000000"])
        let fingers = bench.frames(.milliseconds(20)).flatMap { Self.messages($0).messages }.filter(
            \.areFingers)
        #expect(fingers.contains { $0.samples[5] < -10 })
        #expect(fingers.allSatisfy { $0.samples[2] > 20 && $0.samples[8] > 20 })
    }

    @Test("After a delay, the simulator sends at most half a second of past samples")
    func forgetsThePast() {
        let bench = streaming()
        var world = bench.world
        let outputs = world.advance(to: .seconds(3600))
        #expect(outputs.count < 60)
    }
}
