import Dispatch
import Glibc
import VirtualDevices

/// Everything that a run must react to.
enum Happening: Sendable {
    case report(Report)
    case line(String)
    /// A request to end it came.
    case ended
    case busEnded
}

/// Brings reports, typed lines and signals into one stream.
///
/// Bounded: if they are not taken, the oldest 65,536 stay and newer ones are lost.
final class Happenings {
    let stream: AsyncStream<Happening>
    let sink: AsyncStream<Happening>.Continuation
    private var signals: [any DispatchSourceSignal] = []

    init() {
        (stream, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(65_536))
    }

    /// Begins to listen to the signals that end a program. One that comes more than a second after the first
    /// ends it the hard way; earlier ones are the same wish, sent to the process and to its group.
    func listenToSignals() {
        let queue = DispatchQueue(label: "signals")
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [sink] in
                sink.yield(.ended)
                queue.asyncAfter(deadline: .now() + 1) { signal(number, SIG_DFL) }
            }
            source.activate()
            signals.append(source)
        }
    }

    /// Begins to read live lines.
    ///
    /// The end of the input ends the run only if a person sits there: a service has no input at all.
    func listenToInput() {
        let isPerson = isatty(STDIN_FILENO) == 1
        DispatchQueue(label: "input").async { [sink] in
            while let line = readLine() { sink.yield(.line(line)) }
            if isPerson { sink.yield(.ended) }
        }
    }

    /// Passes lines on and reports back until it is ended; false if the bus has gone.
    func passOn(to server: any PeripheralServer, output: inout any Output) async -> Bool {
        for await happening in stream {
            switch happening {
            case .report(let report): output.show(report)
            case .line(let line): await server.perform(line: line)
            case .ended: return true
            case .busEnded: return false
            }
        }
        return true
    }
}
