import DeviceKit
import Foundation
import JSON
import Testing

/// Replays the traces of the model in `Tests/Model`. For each rule of the gate, a trace violates a property if the
/// rule is missing.
@Suite("Replay of the model's traces")
struct MotionTraceTests {
    /// One trace: the rule that it needs, its description, and its events.
    struct Trace: Sendable, CustomTestStringConvertible {
        var rule: String
        var says: String
        var hasPrelude: Bool
        var events: [JSON.Value]
        var testDescription: String { "\(rule): \(says)" }
    }

    static let traces: [Trace] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        guard let bytes = try? Data(contentsOf: folder.appending(path: "Model/traces.json")),
            let list = try? JSON.Value(parsing: Array(bytes)).array
        else { return [] }
        return list.map { trace in
            Trace(
                rule: trace["rule"]?.string ?? "", says: trace["says"]?.string ?? "",
                hasPrelude: trace["prelude"]?.bool ?? true, events: trace["events"]?.array ?? [])
        }
    }()

    @Test("Every rule of the gate has a trace")
    func rules() {
        let rules: Set = [
            "quiet", "proof", "proof_kept", "longest", "start", "start_longest", "hold", "end", "echo",
            "sender_echo",
            "stall", "guarded", "power_apart", "power_release",
        ]
        #expect(Set(Self.traces.map(\.rule)) == rules)
    }

    @Test("The gate decides as the trace states at each step", arguments: traces)
    func replay(_ trace: Trace) throws {
        var gate = MotionGate(.init(), echoTopic: "echo")
        let zero = Duration.seconds(100)
        let begin = trace.hasPrelude ? zero - .seconds(4) : zero
        gate.connected(at: begin)
        gate.subscriptions(missing: [], at: begin)
        gate.linked(at: begin)
        gate.guarded(true)
        if trace.hasPrelude {
            for step in 0..<16 {
                let now = begin + .milliseconds(250 * step)
                _ = gate.advance(to: now)
                gate.echoSent("before \(step)", at: now)
                gate.echoReturned("before \(step)", at: now)
            }
        }
        for event in trace.events {
            let now = zero + .milliseconds(try #require(event["at_ms"]?.integer))
            let orders = gate.advance(to: now).filter { $0 != .echo }
            if let outputs = event["outputs"]?.array?.compactMap(\.string) {
                #expect(orders == outputs.map { $0 == "stop_now" ? .stop : .cutPower }, "\(event)")
            }
            if let echo = event["echo_sent"]?.integer { gate.echoSent("\(echo)", at: now) }
            if let echo = event["echo_returned"]?.integer { gate.echoReturned("\(echo)", at: now) }
            if let isGuarded = event["guarded"]?.bool { gate.guarded(isGuarded) }
            if let stop = event["stop"]?.string {
                gate.stopped(try #require(MotionStop(rawValue: stop)), at: now)
            }
            if event["command"] != nil { try play(event, at: now, &gate) }
        }
    }

    private func play(_ event: JSON.Value, at now: Duration, _ gate: inout MotionGate) throws {
        let lease = event["duration_ms"]?.integer.map { Duration.milliseconds($0) }
        let demand: MotionDemand =
            event["has_power"] != nil ? .power : event["moving"] == true ? .motion(lease: lease) : .rest
        let request = MotionRequest(
            demand, hold: event["hold"]?.integer, echo: event["echo"]?.integer.map { "\($0)" })
        gate.observe(request, hasPower: event["has_power"] == true, at: now)
        let outcome =
            switch gate.judge(request, at: now) {
            case .admitted, .alreadyAtRest: "admitted"
            case .refused(let error): error.code.rawValue
            }
        #expect(outcome == event["expect"]?.string, "\(event)")
    }
}
