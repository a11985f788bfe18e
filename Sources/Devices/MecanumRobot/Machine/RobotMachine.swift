import Bluetooth
import DeviceKit

/// The behaviour of one robot over any number of links.
///
/// What is commanded is written as a *frame*: movement, rotation and buttons, every 100 ms while anything is
/// commanded, each frame the newest state, and none while an earlier one is under way. A stop is written at
/// once, ahead of everything.
struct RobotMachine: DeviceMachine {
    static let cadenceTimer: TimerName = "cadence"
    static let leaseTimer: TimerName = "lease"
    static let weaponTimer: TimerName = "weapon"
    static let idleTimer: TimerName = "idle"
    static let powerTimer: TimerName = "power"
    static let confirmationTimer: TimerName = "confirmation"
    static let handshakeTimer: TimerName = "handshake"
    static let statusTimer: TimerName = "status"
    static let latchTimer: TimerName = "latch"
    static let latchRetryTimer: TimerName = "latch_retry"
    /// The timers that a link's end stops.
    static let linkTimers = [
        cadenceTimer, leaseTimer, weaponTimer, idleTimer, powerTimer, confirmationTimer, handshakeTimer,
        ClosingWords.timer,
    ]

    let longestLease: Int
    let powerTimeout: Duration
    let allowsWeapon: Bool
    let powersOnConnect: Bool

    var phase = LinkPhase.offline
    /// Where the search for the robot stands, as far as that is told.
    var stage = LinkStage.disconnected
    var now = Duration.zero

    /// The switches as they are commanded.
    var buttons = RobotButtons()
    /// What is added to the direction while field orientation is on, in degrees.
    var offset = 0.0
    /// The emergency stop.
    var latch: RobotEmergencyLatch
    /// What stopped the robot last; nil since it was driven.
    var stoppedBy: RobotStopReason?
    /// Whether it is not known that the robot is at rest: the guardian could not confirm it.
    var isUnconfirmed = false
    /// What is read back to prove that it is at rest, while that is under way.
    var restProof = RobotRestProof()

    var drive: RobotMotion?
    /// What is added to the direction of the present drive, in degrees.
    var driveOffset = 0.0
    /// Until when it is to do that, and may go on as it was told.
    var lease = Lease()
    /// For how long the weapon is to run; nil while it is off.
    var weaponLease: RobotWeaponLease?
    /// Until when it is to run, and may go on as it was told.
    var weapon = Lease()
    /// When the power is switched off because nothing was driven.
    var idleEnd: Duration?

    /// The newest drive command, which no frame has taken yet.
    var waiting = LatestCommand()
    var frame: RobotBatch?
    var frameStart = Duration.zero
    /// Whether the next frame waits only for writes that are under way.
    var isFrameDue = false
    /// Counts what was changed, and up to where a frame has told it to the robot.
    var changes = 0
    var framedChanges = 0
    var settledChanges = 0

    var halt: RobotBatch?
    /// Whether a stop could not be written and has to be written again.
    var isHaltDue = false
    /// Whether the link is closed because the robot does not obey.
    var isGivenUp = false

    /// The commands for power that wait until it can be switched on; nil where no command asks for that.
    var powerWaiting: [CommandID]?
    /// Before this moment the robot's firmware may cut the power again.
    var powerAllowed = Duration.zero
    var confirmation: RobotConfirmation?
    /// The reads that prove the switches.
    var buttonReads = ReadLedger<Void>(RobotGATT.buttons)
    var handshake = RobotHandshake()

    /// Why nothing that moves is taken; nil if it is.
    var block: MotionGate.Block?
    /// Whether nothing blocked motion since the robot was ready.
    var isCleared = false

    var publishedStatus: RobotStatus?
    var publishedAt: Duration?
    var isStatusUrgent = false

    private var numbering = WriteNumbering()

    init(_ settings: RobotSettings, latch: Latch) {
        longestLease = settings.longestLease
        powerTimeout = .seconds(settings.powerTimeout)
        allowsWeapon = settings.allowsWeapon
        powersOnConnect = settings.powersOnConnect
        self.latch = RobotEmergencyLatch(latch)
    }

    /// No motion and no power. A bridge that only sleeps finds the power as it knows it: at the end of the
    /// newest motion that the robot was told, or of the weapon's lease, only these end; at the end of its
    /// power everything.
    var will: Will {
        var still = buttons
        still.weapon = false
        let off = RobotButtons(fieldOrientation: buttons.fieldOrientation)
        let deadline = [lease.deadline, weapon.deadline].compactMap { $0 }.min()
        return Will(
            writes: Self.rest(off), deadline: deadline ?? idleEnd,
            deadlineWrites: Self.rest(deadline == nil ? off : still), readBack: RobotGATT.all,
            stopsWithoutLink: true)
    }

    var hasPower: Bool { buttons.power }

    private static func rest(_ buttons: RobotButtons) -> [Write] {
        [
            Write(RobotGATT.movement, RobotVector.zero.bytes, .withoutResponse),
            Write(RobotGATT.rotation, RobotVector.zero.bytes, .withoutResponse),
            Write(RobotGATT.buttons, buttons.bytes, .withoutResponse),
        ]
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        self.now = now
        switch input {
        case .connected(let profile): connected(profile, &effects)
        case .disconnected: disconnected(&effects)
        default:
            // First what time has ended: neither a late timer nor what came meanwhile prolongs a motion.
            endWhatIsOver(&effects)
            take(input, &effects)
        }
        publishStatus(&effects)
    }

    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {
        self.now = now
        self.stage = stage
        publishStatus(&effects)
    }

    private mutating func take(_ input: Input, _ effects: inout Effects) {
        switch input {
        case .writeCompleted(let token, _, let result): written(token, result, &effects)
        case .readCompleted(let characteristic, let result): read(characteristic, result, &effects)
        case .command(let id, let feature, let arguments): carryOut(id, feature, arguments, &effects)
        case .timer(let name): timer(name, &effects)
        case .stop(let cause):
            stop(RobotStopReason(cause), cuttingPower: cause == .pathGone ? true : nil, &effects)
        case .close: close(&effects)
        case .motionBlocked(let block): self.block = block
        case .cleared:
            isCleared = true
            powerOnConnect(&effects)
        case .recalled(_, let status): recalled(status, &effects)
        case .recalling(let isRecalling):
            latch.isRecalling = isRecalling
            powerOnConnect(&effects)
        case .latchKept(let isSet, let failure): latchKept(isSet, failure: failure, &effects)
        case .guardian(let report): guardianReported(report, &effects)
        case .connected, .disconnected, .notification, .subscribed, .settings: break
        }
    }

    private mutating func timer(_ name: TimerName, _ effects: inout Effects) {
        switch name {
        case Self.cadenceTimer: cadence(&effects)
        case Self.powerTimer: switchPowerOn(&effects)
        case Self.confirmationTimer: confirmationIsLate(&effects)
        case Self.handshakeTimer: handshakeIsLate(&effects)
        case Self.latchTimer: latchIsLate(&effects)
        case Self.latchRetryTimer: keepLatchAgain(&effects)
        case ClosingWords.timer: Self.closing.isLate(in: phase, &effects)
        default: break
        }
    }

    /// Writes to the robot, which never acknowledges, and gives the write a name.
    mutating func write(
        _ characteristic: CharacteristicID, _ bytes: [UInt8], priority: Write.Priority = .normal,
        _ effects: inout Effects
    ) -> WriteToken {
        let token = numbering.next()
        effects.write(characteristic, bytes, .withoutResponse, priority: priority, token: token)
        return token
    }

    private mutating func written(
        _ token: WriteToken, _ result: Result<Void, OperationError>, _ effects: inout Effects
    ) {
        if confirmation?.stage == .writing(token) { confirmationWritten(result, &effects) }
        if halt?.completed(token, result) == true { haltWritten(&effects) }
        if frame?.completed(token, result) == true { frameWritten(&effects) }
        if handshake.batch?.completed(token, result) == true { handshakeWritten(&effects) }
    }

    private mutating func read(
        _ characteristic: CharacteristicID, _ result: Result<[UInt8], OperationError>,
        _ effects: inout Effects
    ) {
        if phase == .handshake {
            handshakeRead(characteristic, result, &effects)
        } else if characteristic == RobotGATT.buttons {
            buttonsRead(result, &effects)
        } else {
            restRead(characteristic, result, &effects)
        }
    }
}
