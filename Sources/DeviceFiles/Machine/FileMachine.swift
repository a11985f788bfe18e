import Bluetooth
import DeviceKit
import JSON

/// The state machine of one device that a device file describes, across all its connections.
struct FileMachine: DeviceMachine {
    enum Phase: Hashable, Sendable {
        case offline
        /// The device is connected and the setup is in progress.
        case setup
        /// The device accepts commands.
        case online
        /// The connection is being closed.
        case closing
    }

    /// What a write is for, which determines how its result is handled.
    enum Purpose: Hashable, Sendable {
        case step(Execution.Owner)
        case stop
        /// One of the last writes before the connection is closed.
        case goodbye
        /// No caller waits for the result.
        case nothing
    }

    /// What a read is for, which determines how its result is handled.
    enum ReadPurpose: Hashable, Sendable {
        case setup
        /// A read that verifies a write.
        case readBack(Execution.Owner)
        /// A read that is itself a step of a command.
        case step(Execution.Owner)
        /// A periodic read.
        case repetition
    }

    static let setupTimer: TimerName = "setup"
    static let closeTimer: TimerName = "close"
    static let hapticTimer: TimerName = "haptic"
    static let stopTimer: TimerName = "stop"

    let plan: FilePlan
    let settings: Arguments

    var phase = Phase.offline
    var identity = Identity()
    var now = Duration.zero
    var profile = LinkProfile(characteristics: [:])
    var linkStart = Duration.zero
    /// The service and the UUID of each characteristic on this device.
    var ids: [CharacteristicID] = []
    var isPresent: [Bool] = []
    /// The subscribed characteristics that have not sent a value during a visit.
    var unheard: Set<Int> = []
    /// The index of the current step in the setup of the device file.
    var setupStep = 0
    /// The characteristics that are read periodically because they cannot be subscribed to.
    var polls: [(characteristic: Int, period: Duration)] = []
    var lineBuffers: [LineBuffer?] = []
    var reports: [ReportState] = []
    var lanes: [Lane]
    /// The steps that the setup and the lanes currently execute.
    var executions: [Execution.Owner: Execution] = [:]
    var writes = WriteLedger<Purpose>()
    var reads: [(characteristic: Int, purpose: ReadPurpose)] = []
    /// The time at which each feature's lease ends, by the index of the feature.
    var leases: [Int: Duration] = [:]
    var stopping: StopBatch?
    var goodbyes = 0
    var haptic: HapticPlayer<Decimal>?
    /// The last value of the strength that a haptic pattern wrote.
    var strength: Decimal?
    /// The ciphers of encrypted advertised data, by the index of the data.
    var ciphers: [Int: BTHomeCipher] = [:]
    /// The time at which a counter of encrypted packets was last stored on disk.
    var counterKept: Duration?
    /// The last packets of each kind of advertised data.
    var broadcasts: [Int: RecentPackets] = [:]
    /// The features that the device lacks, and the fields of partial reports that it has sent.
    var lacking: Lacking
    /// The number of packets that were written on this connection, for each counter that packets contain.
    var counts: [Int: UInt64] = [:]
    /// Whether a packet that does not match the file was already logged on this connection.
    var hasGarbage = false
    /// The running timers, so that the end of a connection can stop them.
    var timers: Set<TimerName> = []
    /// The parts of the file that were used so far; nil if coverage is not measured.
    var coverage: Coverage?

    /// The writes that the guardian makes if the bridge process dies.
    var will = Will.none
    /// The writes of a stop, which are part of the will.
    var stopWrites: [Write] = []

    init(_ plan: FilePlan, _ context: DeviceContext) {
        self.plan = plan
        settings = context.settings
        lacking = Lacking(json: context.memory[Lacking.memoryKey])
        ids = plan.file.characteristics.map(\.id)
        // Until the first visit, no characteristic is known to be absent.
        isPresent = ids.map { _ in true }
        lanes = Array(repeating: Lane(), count: plan.laneCount)
        restore(context)
    }

    var file: DeviceFile { plan.file }
    var device: String { file.title }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        self.now = now
        switch input {
        case .connected(let profile): connected(profile, &effects)
        case .disconnected:
            leave(keepsWaiting: true, &effects)
            phase = .offline
            will = .none
        case .advertised(let broadcast): advertised(broadcast, &effects)
        case .notification(let id, let bytes):
            guard phase != .offline, let index = plan.indexes[id] else { return }
            notified(index, bytes, &effects)
        case .readCompleted(let id, let result):
            if let index = plan.indexes[id] { readCompleted(index, result, &effects) }
            if phase == .online { identity.wasRead(id, result, &effects) }
        case .writeCompleted(let token, _, let result): written(token, result, &effects)
        case .subscribed(let id, let result):
            if let index = plan.indexes[id] { subscribed(index, result, &effects) }
        case .command(let id, let feature, let arguments): take(id, feature, arguments, &effects)
        case .timer(let name):
            timers.remove(name)
            timer(name, &effects)
        case .stop(let cause): stop(cause, &effects)
        case .close: close(&effects)
        case .motionBlocked, .cleared, .recalled, .recalling, .latchKept, .guardian, .relayed, .settings:
            break
        }
        if plan.isVisited { endVisitIfDone(&effects) }
    }

    private mutating func timer(_ name: TimerName, _ effects: inout Effects) {
        switch name {
        case Self.setupTimer: setupIsLate(&effects)
        case Self.closeTimer: if phase == .closing { effects.append(.disconnect) }
        case Self.visitTimer: visitIsOver(&effects)
        case Self.hapticTimer: advanceHaptic(&effects)
        case Self.stopTimer: if phase == .online { writeStop(for: nil, &effects) }
        default:
            let parts = name.description.split(separator: ".")
            guard parts.count == 2, let index = Int(parts[1]) else { return }
            switch parts[0] {
            case "wait": waitIsOver(Self.owner(index), &effects)
            case "pause": pauseIsOver(Self.owner(index), &effects)
            case "lane": runLane(index, &effects)
            case "lease": leaseIsOver(index, &effects)
            case "every": repeatEntry(index, &effects)
            case "poll": poll(index, &effects)
            case "line": lineIsOver(index, &effects)
            case "stream": streamIsDue(index, &effects)
            default: break
            }
        }
    }

    // MARK: Shared helpers

    /// Returns the number that identifies the owner of a step in timer names: 0 for the setup, 1 and higher for lanes.
    static func number(_ owner: Execution.Owner) -> Int {
        if case .lane(let index) = owner { index + 1 } else { 0 }
    }

    static func owner(_ number: Int) -> Execution.Owner { number == 0 ? .setup : .lane(number - 1) }

    mutating func startTimer(_ name: TimerName, after delay: Duration, _ effects: inout Effects) {
        timers.insert(name)
        effects.startTimer(name, after: max(.zero, delay))
    }

    mutating func cancelTimer(_ name: TimerName, _ effects: inout Effects) {
        if timers.remove(name) != nil { effects.cancelTimer(name) }
    }

    /// Writes bytes and records the purpose. By default, the write is made with response if the device supports it, so
    /// that a command's answer confirms the delivery.
    mutating func write(
        _ characteristic: Int, _ bytes: [UInt8], _ kind: Write.Kind?, priority: Write.Priority = .normal,
        for purpose: Purpose, _ effects: inout Effects
    ) {
        let id = ids[characteristic]
        writes.write(id, bytes, kind ?? profile.writeKind(id), priority: priority, for: purpose, &effects)
    }

    /// The current time (0 if it is unknown), the time zone and the counters, for packets that contain them.
    var packetContext: PacketContext {
        let time = profile.unixMilliseconds.map { $0 + Int64((now - linkStart) / .milliseconds(1)) }
        return PacketContext(milliseconds: time ?? 0, utcOffset: profile.utcOffset, counts: counts)
    }

    func bytes(_ step: WriteStep, _ values: JSON.Object) throws(CommandError) -> [UInt8] {
        switch step.content {
        case .bytes(let bytes): return bytes
        case .text(let template): return try template.write(values, settings: settings)
        case .packet(let packet): return try packet.write(values, packetContext).bytes
        case .read: return []
        }
    }
}
