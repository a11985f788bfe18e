import Bluetooth

/// A simulated feelSpace naviBelt with the firmware behavior that its clients rely on.
///
/// The only source is docs/protocols/belt.md. ``Choices`` defines what that page leaves open.
public struct VirtualBelt: VirtualDevice {
    let choices: Choices
    var parameters: Parameters
    var nameSuffix: String
    var mode: Mode = .standby
    /// The mode before pause mode, to which the belt returns.
    var pausedMode: Mode = .wait
    /// The heading toward which the belt vibrates in crossing mode, in degrees from magnetic north.
    var crossingHeading = 0
    /// The direction of the belt's front, in degrees from magnetic north.
    var heading: Int
    var isCompassAccurate = true
    var battery: Battery
    var isInPairingMode = false
    var link: Link?
    var channels: [Int: Channel] = [:]
    var signals: [Signal: Channel] = [:]
    /// The running motors, as last reported.
    var felt: [DeviceReport.MotorIntensity] = []
    /// The time at which the running motors change next.
    var nextFeel: Duration?
    var log = ErrorLog()

    /// What the belt knows about a connection.
    struct Link: Hashable, Sendable {
        var isEncrypted = false
        var subscriptions: Set<CharacteristicID> = []
        /// The number of keep-alives since the last reply.
        var missedReplies = 0
        /// The number of the next packet of raw sensor data; nil if the stream is off.
        var rawSequence: UInt8?
    }

    /// Creates a belt that is switched off.
    public init(_ choices: Choices = Choices()) {
        self.choices = choices
        parameters = Parameters(choices)
        nameSuffix = choices.nameSuffix
        heading = choices.heading
        battery = Battery(level: choices.batteryLevel)
    }

    /// Whether the belt currently accepts a bond. With pairing `mode`, the wearer must allow it.
    public var acceptsPairing: Bool { choices.pairing != .mode || isInPairingMode }

    var name: String { Choices.namePrefix + nameSuffix }

    /// Whether clients without a bond are rejected.
    var demandsBond: Bool { parameters.pairingRequired.current != 0 }

    /// The firmware version. Newer versions support more commands.
    var firmwareVersion: Int { choices.firmware.count < 2 ? 0 : Packet.u16(choices.firmware, 0) }

    /// Handles a stimulus in the same way as a real belt.
    public mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        var turn = Turn(now: now)
        battery.pass(to: now, drain: choices.batteryDrain)
        switch stimulus {
        case .poweredOn: switchOn(&turn)
        case .connected: connected(&turn)
        case .disconnected: disconnected(&turn)
        case .bonded:
            link?.isEncrypted = true
            endPairing(&turn)
        case .read(let id): read(id, &turn)
        case .write(let id, let bytes, _): write(id, bytes, &turn)
        case .subscribed(let id, let isWanted): subscribed(id, isWanted, &turn)
        case .timer(let name): timer(name, &turn)
        case .act(let words): act(words, &turn)
        }
        updateFeel(&turn)
        reactions += turn.reactions
    }

    private mutating func timer(_ name: String, _ turn: inout Turn) {
        switch Timer(rawValue: name) {
        case .keepAlive: sendKeepAlive(&turn)
        case .battery: sendBattery(&turn, again: true)
        case .orientation: sendOrientation(&turn)
        case .pairing: endPairing(&turn)
        case .standby: closeLink(&turn)
        case .calibration: if mode == .calibration { change(to: .wait, &turn) }
        case .waitSignal: playWaitSignal(&turn)
        case .inaccuracySignal: playInaccuracySignal(&turn)
        case .selfTest: finishSelfTest(&turn)
        case .rawData: sendRawData(&turn)
        case .feel: nextFeel = nil
        case nil: break
        }
    }

    private func read(_ id: CharacteristicID, _ turn: inout Turn) {
        if isRefusingStrangers {
            turn.reactions.append(.refused(ATTError.insufficientAuthentication))
            return
        }
        switch id {
        case Attribute.firmware: turn.reactions.append(.value(choices.firmware))
        case Attribute.battery:
            turn.reactions.append(.value(battery.packet(extras: choices.sendsBatteryExtras)))
        default: turn.reactions.append(.refused(ATTError.readNotPermitted))
        }
    }

    /// Carries out a write. The response precedes all effects of the write.
    private mutating func write(_ id: CharacteristicID, _ bytes: [UInt8], _ turn: inout Turn) {
        if isRefusingStrangers {
            turn.reactions.append(.refused(ATTError.insufficientAuthentication))
            return
        }
        var outcome = Turn(now: turn.now)
        var answer = Reaction.written
        do throws(Rejected) {
            switch id {
            case Attribute.keepAlive: link?.missedReplies = 0
            case Attribute.vibration: try vibration(bytes, &outcome)
            case Attribute.request: try request(bytes, &outcome)
            case Attribute.buzzer: try buzzer(bytes, &outcome)
            case Attribute.sensorCommand: try sensorCommand(bytes, &outcome)
            case Attribute.debugInput: try debugInput(bytes, &outcome)
            default: answer = .refused(ATTError.writeNotPermitted)
            }
        } catch {
            if case .error(let code) = choices.rejection { answer = .refused(code) }
            outcome.report("rejected", ["characteristic": id.uuid.description, "reason": error.reason])
        }
        turn.reactions.append(answer)
        turn.reactions += outcome.reactions
    }

    private var isRefusingStrangers: Bool { demandsBond && link?.isEncrypted != true }
}
