import EventLoop
import Glibc
import HostTesting
import Testing

/// A row of the fault matrix: a fault, and the condition that must hold in spite of it.
struct Fault: Sendable, CustomTestStringConvertible {
    /// Where the fault occurs.
    let place: Place
    /// The fault.
    let name: String
    /// The condition that must hold.
    let holds: String
    /// The two events between which the recovery time is measured.
    let counted: String
    /// The maximum recovery time.
    let limit: Duration
    /// Causes the fault, checks the condition, and returns the recovery time.
    let commit: @Sendable () async throws -> Duration

    /// A component that can fail.
    enum Place: String, CaseIterable {
        case broker = "Broker"
        case bus = "D-Bus"
        case bluez = "BlueZ"
        case device = "Device"
        case host = "Host"
        case process = "Bridge"
        case robot = "Robot"
        case proxy = "Bluetooth proxy"
        case speaking = "Several bridges"
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
        + proxy + speaking + installation

    /// The rows whose name contains the value of TACTILE_FAULT; all rows if it is not set.
    static let chosen =
        getenv("TACTILE_FAULT").map { part in
            all.filter { $0.testDescription.contains(String(cString: part)) }
        } ?? all

    /// Whether slow rows run at full length; `deploy/faults --full` sets it.
    static let takesItsTime = getenv("TACTILE_FAULT_FULL") != nil

    /// A scenario with one belt only.
    static let belt = "devices: { belt: }"

    /// Returns how long a closure takes.
    static func time(_ deed: () throws -> Void) rethrows -> Duration {
        let start = EventLoop.now
        try deed()
        return EventLoop.now - start
    }

    /// Sets the soft limit of a process for a resource; the hard limit stays.
    static func limit(_ pid: Int32, _ resource: String, _ value: String) throws {
        try TestProcess.run(["prlimit", "--pid", "\(pid)", "--\(resource)=\(value):"])
    }
}
