import EventLoop
import Testing

// A belt that vibrates in any of its modes, and all events that must stop it.
extension Fault {
    private static let silent =
        "silence in wait, compass, crossing, pause and app mode; the belt's own compass"

    static let beltDevice: [Fault] = [
        Fault(
            .device, "belt silence in every mode: `belt/stop/set`",
            holds: "\(silent) goes on; answered `ok`, in pause mode with `\"confirmed\":false`",
            counted: "the stop … the last vibration's end, the longest", within: .seconds(1)
        ) { try await silenced(by: .stop, BeltBench()) },
        Fault(
            .device, "belt silence in every mode: `all/stop/set`",
            holds: "\(silent) ends too; answered `ok`, in pause mode with `\"confirmed\":false`",
            counted: "the stop … the last vibration's end, the longest", within: .seconds(1)
        ) { try await silenced(by: .allStop, BeltBench()) },
    ]

    static let beltHost: [Fault] = [
        Fault(
            .host, "belt silence in every mode: the host goes to sleep", holds: "\(silent) goes on",
            counted: "logind's word … the last vibration's end, the longest", within: .seconds(1)
        ) {
            let loop = try EventLoop.start(name: "logind")
            defer { loop.stop() }
            return try await silenced(by: .sleep, BeltBench(loop: loop))
        }
    ]

    static let beltProcess: [Fault] = [
        Fault(
            .process, "belt silence in every mode: SIGTERM", holds: "\(silent) goes on; exit code 0",
            counted: "SIGTERM … the last vibration's end, the longest", within: .seconds(1)
        ) { try await silenced(by: .terminate, BeltBench()) },
        Fault(
            .process, "belt silence in every mode: SIGKILL", holds: "\(silent) goes on, by the guardian",
            counted: "SIGKILL … the last vibration's end, the longest", within: .seconds(1)
        ) { try await silenced(by: .kill, BeltBench()) },
    ]

    /// Stops each kind of vibration in each mode; returns the longest time until silence.
    private static func silenced(by cause: BeltBench.Cause, _ it: BeltBench) async throws -> Duration {
        var worst = Duration.zero
        for (number, mode) in BeltBench.modes.enumerated() {
            var times: [Duration] = []
            let kinds = BeltBench.Kind.allCases.filter {
                ($0 == .endless) == (mode == "app") || mode == "app"
            }
            // Where the bridge must start again, one kind is tested in each mode.
            let chosen = [.terminate, .kill].contains(cause) ? [kinds[number % kinds.count]] : kinds
            for kind in chosen { times.append(try await it.measure(cause, kind, in: mode)) }
            print("belt silence: \(cause.rawValue), mode \(mode): \(times.map(FaultTable.text))")
            worst = max(worst, times.max() ?? .zero)
        }
        // The endless vibration leaves these modes for app mode.
        for mode in ["wait", "compass"] {
            worst = max(worst, try await it.measure(cause, .endless, in: mode))
        }
        return worst
    }
}
