import EventLoop
import Glibc
import HostTesting
import Testing

/// A row of the fault matrix: something that goes wrong, and what must hold all the same.
struct Fault: Sendable, CustomTestStringConvertible {
    /// Where it goes wrong.
    let place: Place
    /// What goes wrong.
    let name: String
    /// What must hold.
    let holds: String
    /// From what to what the recovery is counted.
    let counted: String
    /// How long the recovery may take.
    let limit: Duration
    /// Commits the fault, sees that holds what must, and returns how long the recovery took.
    let commit: @Sendable () async throws -> Duration

    /// What can fail.
    enum Place: String, CaseIterable {
        case broker = "Broker"
        case bus = "D-Bus"
        case bluez = "BlueZ"
        case device = "Device"
        case host = "Host"
        case process = "The bridge itself"
        case robot = "What moves"
        case speaking = "Who speaks"
        case installation = "Installation"
    }

    init(
        _ place: Place, _ name: String, holds: String, counted: String, within limit: Duration,
        _ commit: @escaping @Sendable () async throws -> Duration
    ) {
        self.place = place
        self.name = name
        self.holds = holds
        self.counted = counted
        self.limit = limit
        self.commit = commit
    }

    var testDescription: String { "\(place.rawValue): \(name)" }

    /// All rows, in the order of the table.
    static let all =
        broker + brokerPackets + bus + bluez + adapter + device + beltDevice + joining + host + beltHost
        + disk + process + beltProcess + guardian + adapterOfDead + latch + robot + unguarded + size
        + speaking + installation

    /// Those whose name contains what TACTILE_FAULT says; all of them where it says nothing.
    static let chosen =
        getenv("TACTILE_FAULT").map { part in
            all.filter { $0.testDescription.contains(String(cString: part)) }
        } ?? all

    /// Whether rows that can take their time shall take it; `deploy/faults --full` sets it.
    static let takesItsTime = getenv("TACTILE_FAULT_FULL") != nil

    /// A scenario with nothing but a belt.
    static let belt = "devices: { belt: }"

    /// How long a deed takes.
    static func time(_ deed: () throws -> Void) rethrows -> Duration {
        let start = EventLoop.now
        try deed()
        return EventLoop.now - start
    }

    /// Sets what the system gives a process at most; the most that it could have stays.
    static func limit(_ pid: Int32, _ resource: String, _ value: String) throws {
        try TestProcess.run(["prlimit", "--pid", "\(pid)", "--\(resource)=\(value):"])
    }
}
