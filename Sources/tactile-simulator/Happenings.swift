import Dispatch
import Glibc
import VirtualDevices

/// An event that a run of the simulator must process.
enum Happening: Sendable {
    case report(Report)
    case line(String)
    /// A request to end the run.
    case ended
    case busEnded
}

/// Combines reports, typed lines and signals into one stream.
///
/// The stream is bounded: if nothing reads it, the oldest 65,536 events are kept and newer events are dropped.
final class Happenings {
    let stream: AsyncStream<Happening>
    let sink: AsyncStream<Happening>.Continuation
    private var signals: [any DispatchSourceSignal] = []

    init() {
        (stream, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(65_536))
    }

    /// Starts to handle the signals that end a program. A further signal more than one second after the first kills the
    /// program. Signals within that second count as the same request, because a request may be sent to the process and
    /// to its group.
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

    /// Starts to read lines of the input.
    ///
    /// The end of the input ends the run only on a terminal, because a service has no input.
    func listenToInput() {
        let isPerson = isatty(STDIN_FILENO) == 1
        DispatchQueue(label: "input").async { [sink] in
            while let line = readLine() { sink.yield(.line(line)) }
            if isPerson { sink.yield(.ended) }
        }
    }

    /// Processes events until the run is ended; returns false if the bus has ended.
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
