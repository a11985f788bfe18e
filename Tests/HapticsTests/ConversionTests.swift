import Haptics
import JSON
import Testing

@Suite("Conversion of patterns")
struct ConversionTests {
    @Test("A pattern without curves is written as YAML without a change")
    func plain() {
        let pattern = Pattern(
            [
                Event(time: 0, .transient, intensity: 1, sharpness: 0.9),
                Event(
                    time: 0.1, .continuous(duration: 0.25), intensity: 0.5, sharpness: 0.1,
                    at: Position(degrees: 270)),
            ], metadata: ["Description": "Two: \"events\""])
        let (flat, remarks) = pattern.flattened()
        #expect(flat == pattern && remarks == [])
        #expect(
            flat.yaml == """
                description: "Two: \\"events\\""
                events:
                  - { time: 0, kind: transient, intensity: 1, sharpness: 0.9 }
                  - { time: 0.1, kind: continuous, duration: 0.25, intensity: 0.5, sharpness: 0.1, position: 270 }

                """)
    }

    @Test("Curves become steps that feel the same")
    func curves() throws {
        let pattern = Pattern(
            [
                Event(time: 0.2, .transient, intensity: 1, sharpness: 0.9),
                Event(time: 0.5, .continuous(duration: 1), intensity: 1, sharpness: 0.1),
            ],
            changes: [
                Change(.intensity, time: 0, .step(0.5)),
                Change(
                    .intensity, time: 0.5, .curve([.init(time: 0, value: 0), .init(time: 1, value: 1)])),
            ])
        let (flat, remarks) = pattern.flattened()
        #expect(remarks == ["curves are written as steps of 10 ms"] && flat.changes == [])
        #expect(flat.events.count == 101)
        let (before, after) = (Timeline(pattern), Timeline(flat))
        for moment in stride(from: 5, to: 1600, by: 10) {
            let moment = Duration.milliseconds(moment)
            #expect(abs(before.intensity(at: moment) - after.intensity(at: moment)) < 0.001, "\(moment)")
        }
    }

    @Test("Long curves become coarser steps, at most as many as a file can have")
    func long() {
        let points = (0...60).map { Change.Point(time: Double($0), value: Double($0 % 2)) }
        let pattern = Pattern(
            (0..<2).map {
                Event(time: Double($0) * 30, .continuous(duration: 30), intensity: 1, sharpness: 0)
            },
            changes: [Change(.intensity, time: 0, .curve(points))])
        let (flat, remarks) = pattern.flattened()
        #expect(flat.events.count <= Pattern.maximumCount && flat.events.count > 500)
        #expect(remarks == ["curves are written as steps of 80 ms"])
        #expect(Timeline(flat).length == .seconds(60))
    }

    @Test("A pattern that a YAML file cannot contain is cut, which is reported")
    func limits() {
        let switching = (0..<2400).map { Change(.intensity, time: Double($0) / 100, .step(Double($0 % 2))) }
        let (dense, remarks) = Pattern(
            [Event(time: 0, .continuous(duration: 24), intensity: 1, sharpness: 0)], changes: switching
        ).flattened()
        #expect(dense.events.count == Pattern.maximumCount)
        #expect(remarks.last == "the pattern is written only until 20.01 s")
        let (late, others) = Pattern(
            [Event(time: 590, .continuous(duration: 30), intensity: 1, sharpness: 0)],
            changes: [Change(.intensity, time: 605, .step(0.5))]
        ).flattened()
        #expect(late.events.map(\.time) == [590])
        #expect(others.last == "the pattern is written only until 605 s")
    }

    @Test("Envelopes are not written as YAML, which is reported")
    func envelopes() throws {
        let pattern = try Samples.file(Samples.full).pattern
        #expect(pattern.flattened().remarks.first == "envelopes are not written")
    }

    @Test("An AHAP file has a line for each entry and the same content", arguments: Samples.all)
    func ahap(text: String) throws {
        let pattern = try Samples.file(text).pattern
        #expect(try AHAPFile(parsing: Array(pattern.ahap.utf8)).pattern == pattern)
        #expect(
            pattern.ahap.split(separator: "\n").count == pattern.events.count + pattern.changes.count + 2)
    }
}
