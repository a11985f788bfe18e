import Dispatch
import Glibc

/// Delivers signals as bytes in a pipe, so that one call of poll(2) waits for signals and all input.
struct Signals {
    /// The signals that end the program.
    static let ends = [SIGINT, SIGTERM, SIGHUP]

    let descriptor: CInt
    private let sources: [any DispatchSourceSignal]

    init() {
        signal(SIGPIPE, SIG_IGN)
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        let sink = ends[1]
        descriptor = ends[0]
        let queue = DispatchQueue(label: "signals")
        sources = (Self.ends + [SIGWINCH]).map { number in
            if number != SIGWINCH { signal(number, SIG_IGN) }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                var byte = UInt8(number)
                _ = write(sink, &byte, 1)
            }
            source.activate()
            return source
        }
    }
}
