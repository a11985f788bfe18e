import Testing

@testable import Gestures

@Suite("Gestures in a sequence of inputs")
struct GestureMatcherTests {
    private static let map = GestureMap(
        [
            .init(
                "base",
                [
                    .init(["a"], action: "one"), .init(["a", "b"], action: "two"),
                    .init(["a", "b", "c", "d"], action: "four"), .init(["x"], action: "light"),
                    .init(["m"], layer: "media"), .init(["n"], action: "go", layer: "media"),
                ]),
            .init("media", [.init(["x"], action: "next"), .init(["m", "m"], layer: "base")]),
        ], within: .milliseconds(500))

    /// Plays inputs with their times in milliseconds, and returns the actions with the times at which they are found.
    private func actions(_ inputs: [(time: Int, input: String)], _ map: GestureMap = map) -> [String] {
        var matcher = GestureMatcher(map)
        var found: [String] = []
        func add(_ matches: [GestureMatcher.Match], _ time: Duration) {
            for match in matches {
                found.append("\(match.gesture.action ?? "-")@\(Int(time / .milliseconds(1)))")
            }
        }
        for (time, input) in inputs {
            let now = Duration.milliseconds(time)
            if let deadline = matcher.deadline, deadline <= now {
                add(matcher.expire(at: deadline), deadline)
            }
            add(matcher.take(input, at: now), now)
        }
        if let deadline = matcher.deadline { add(matcher.expire(at: deadline), deadline) }
        #expect(matcher.deadline == nil)
        return found
    }

    @Test(
        "The longest gesture is found; only an input that can continue waits",
        arguments: [
            ([(0, "x")], ["light@0"]),
            ([(0, "a")], ["one@500"]),
            ([(0, "a"), (100, "x")], ["one@100", "light@100"]),
            ([(0, "a"), (100, "b")], ["two@600"]),
            ([(0, "a"), (100, "b"), (200, "c")], ["two@700"]),
            ([(0, "a"), (100, "b"), (200, "c"), (300, "d")], ["four@300"]),
            ([(0, "a"), (100, "b"), (200, "c"), (300, "x")], ["two@300", "light@300"]),
            ([(0, "a"), (499, "b")], ["two@999"]),
            ([(0, "a"), (500, "b")], ["one@500"]),
            ([(0, "a"), (10, "a"), (20, "b")], ["one@10", "two@520"]),
            ([(0, "z"), (10, "x")], ["light@10"]),
        ] as [([(Int, String)], [String])])
    func longest(inputs: [(Int, String)], found: [String]) {
        #expect(actions(inputs.map { (time: $0.0, input: $0.1) }) == found)
    }

    @Test("A gesture can change the layer")
    func layers() {
        #expect(
            actions([(0, "m"), (100, "x"), (200, "a"), (300, "m"), (400, "m"), (500, "x")]) == [
                "-@0", "next@100", "-@400", "light@500",
            ])
        #expect(actions([(0, "n"), (100, "x")]) == ["go@0", "next@100"])
        var matcher = GestureMatcher(Self.map)
        _ = matcher.take("m", at: .zero)
        #expect(matcher.layer == "media")
    }

    /// The rule, as a definition over the whole sequence: at each place, the longest gesture of the layer that fits
    /// without a pause is made; otherwise one input is dropped. It is made at the first input after which no longer
    /// gesture is possible, otherwise at the end of the pause, and not before the gesture in front of it.
    private func reference(_ inputs: [(time: Int, input: String)], _ map: GestureMap) -> [String] {
        let within = Int(map.within / .milliseconds(1))
        var (layer, place, time) = (0, 0, 0)
        var found: [String] = []
        while place < inputs.count {
            var end = place + 1
            while end < inputs.count, inputs[end].time - inputs[end - 1].time < within { end += 1 }
            let run = inputs[place..<end].map(\.input)
            let gestures = map.layers[layer].gestures
            let decided = run.indices.first { last in
                !gestures.contains {
                    $0.inputs.count > last + 1 && Array($0.inputs[...last]) == Array(run[...last])
                }
            }
            time = max(time, decided.map { inputs[place + $0].time } ?? inputs[end - 1].time + within)
            let fitting = gestures.filter { run.starts(with: $0.inputs) }
            guard let gesture = fitting.max(by: { $0.inputs.count < $1.inputs.count }) else {
                place += 1
                continue
            }
            found.append("\(gesture.action ?? "-")@\(time)")
            place += gesture.inputs.count
            if let next = gesture.layer { layer = map.layers.firstIndex { $0.name == next } ?? layer }
        }
        return found
    }

    @Test("300 random sequences give the gestures of the rule, at its times")
    func random() {
        var random = Numbers(state: 5)
        var total = 0
        for _ in 0..<300 {
            let names = ["first", "second", "third"]
            let layers = names.map { name in
                var gestures: [GestureMap.Gesture] = []
                for index in 0..<Int.random(in: 1...8, using: &random) {
                    let inputs = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        ["a", "b", "c"].randomElement(using: &random) ?? "a"
                    }
                    guard !gestures.contains(where: { $0.inputs == inputs }) else { continue }
                    let next =
                        Int.random(in: 0..<5, using: &random) == 0 ? names.randomElement(using: &random) : nil
                    gestures.append(.init(inputs, action: "\(name)\(index)", layer: next))
                }
                return GestureMap.Layer(name, gestures)
            }
            let map = GestureMap(layers, within: .milliseconds(300))
            var time = 0
            let inputs = (0..<40).map { _ in
                time += Int.random(in: 1...400, using: &random)
                return (time: time, input: ["a", "b", "c", "d"].randomElement(using: &random) ?? "a")
            }
            let found = actions(inputs, map)
            let expected = reference(inputs, map)
            total += expected.count
            guard found == expected else {
                Issue.record("\(inputs) in \(map) gives \(found), not \(expected)")
                return
            }
        }
        #expect(total > 2000)
    }

    /// Numbers that are the same in every run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) | (state << 31)
        }
    }
}
