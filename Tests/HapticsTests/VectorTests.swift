import Haptics
import JSON
import ProtocolVectors
import Testing

/// Reads every worked example of docs/protocols/vectors/haptic-patterns.json that concerns patterns themselves.
@Suite("The worked examples of haptic patterns")
struct VectorTests {
    private static let target = "HapticsTests"
    private static let file = VectorFile.named("haptic-patterns")

    @Test("Every kind of example is read")
    func kinds() {
        #expect(["built-in", "ahap"] == Self.file.kinds(readBy: Self.target))
    }

    @Test("A built-in pattern is as documented", arguments: file.vectors.filter { $0.kind == "built-in" })
    func builtIn(_ vector: ProtocolVector) throws {
        let means = vector.means
        let pattern: Pattern? =
            switch means["pattern"]?.string {
            case "normal": .normal
            case "heavy": .heavy
            case "gradual": means["intensity"]?.double.map { .gradual(intensity: $0) } ?? .gradual()
            case "multi":
                .multi(
                    frequency: try #require(means["frequency"]?.double),
                    amplitude: try #require(means["amplitude"]?.double))
            default: nil
            }
        let events = Self.words(try #require(pattern).events)
        #expect(events.agrees(with: means["events"] ?? nil), "it has \(events)")
        // An order with this name plays the same pattern.
        guard case .play(let performance) = try Order(try #require(means.object?.without("events"))) else {
            Issue.record("nothing is played")
            return
        }
        #expect(performance.timeline == Timeline(try #require(pattern)))
    }

    @Test("An AHAP file is read as documented", arguments: file.vectors.filter { $0.kind == "ahap" })
    func ahap(_ vector: ProtocolVector) throws {
        let file = try AHAPFile(try #require(vector.json["file"]))
        let changes = file.pattern.changes.map { change -> JSON.Value in
            var object: JSON.Object = [
                "control": .string(change.control.rawValue), "time": .number(change.time),
            ]
            switch change.shape {
            case .step(let value): object["value"] = .number(value)
            case .curve(let points):
                object["points"] = .array(points.map { [.number($0.time), .number($0.value)] })
            }
            return .object(object)
        }
        let read: JSON.Value = [
            "events": Self.words(file.pattern.events), "changes": .array(changes),
            "sound": .bool(file.hasSound),
        ]
        #expect(read.agrees(with: vector.means), "it reads \(read)")
        // Reading the written file gives the same pattern.
        #expect(try AHAPFile(AHAPFile.value(of: file.pattern)).pattern == file.pattern)
    }

    private static func words(_ events: [Event]) -> JSON.Value {
        .array(
            events.map { event in
                var object: JSON.Object = ["time": .number(event.time)]
                switch event.kind {
                case .transient: object["kind"] = "transient"
                case .continuous(let duration, _):
                    object["kind"] = "continuous"
                    object["duration"] = .number(duration)
                }
                object["intensity"] = .number(event.intensity)
                object["sharpness"] = .number(event.sharpness)
                return .object(object)
            })
    }
}

extension JSON.Object {
    fileprivate func without(_ key: String) -> JSON.Object {
        var object = self
        object[key] = nil
        return object
    }
}
