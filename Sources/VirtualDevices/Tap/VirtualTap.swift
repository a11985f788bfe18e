import Bluetooth

/// A simulated Tap Strap, Tap Strap 2 or TapXR with the firmware behavior that its clients rely on.
///
/// The only source is docs/protocols/tap.md. ``Choices`` defines what that page leaves open.
public struct VirtualTap: VirtualDevice {
    let choices: Choices
    /// The serial number.
    let serial: String
    /// The GATT table, which never changes.
    public let services: [VirtualService]
    private let properties: [CharacteristicID: CharacteristicProperties]

    var deviceName: String
    /// The advertised name, which may differ temporarily from ``deviceName``.
    var advertisedName: String
    var settings: [UInt8]
    var battery: Double
    var isOn = false
    var isOpenForPairing = false
    var link: Link?
    var mode = Mode.text
    var xrState = XRState.userControl
    var airState = AirState.standby
    var keyboard = Keyboard()
    var sensitivity = Sensitivity()
    var hand = Hand.open
    var frames = FramedState()
    /// The number of hand states that remain to be sent while the air mouse is off.
    var handsLeft = 0
    /// The command that the firmware has stored and not executed yet.
    var heldCommand: [UInt8]?
    var lastCommandAt: Duration?
    var rawRate: Double
    /// Whether a live line switched the raw stream on (`true`) or off (`false`); nil if the mode decides.
    var wantsStream: Bool?
    var stream: RawStream?
    var motion: HandMotion
    var vibration = Vibration()
    var lastTap: (combination: UInt8, at: Duration)?
    /// The last combination that the live line `next` tapped.
    var nextCombination: UInt8 = 0
    private(set) var startedAt: Duration = .zero

    /// What the TAP knows about a connection.
    struct Link: Hashable, Sendable {
        var mtu: Int
        var subscriptions: Set<CharacteristicID> = []
    }

    /// Creates a TAP that is switched off.
    ///
    /// - Parameters:
    ///   - choices: The product, and properties that the manufacturer's documents leave open.
    ///   - seed: The seed of the TAP's random numbers. The serial number is derived from the seed, unless a choice
    ///     defines the serial number.
    public init(_ choices: Choices = Choices(), seed: UInt64 = 1) {
        self.choices = choices
        serial = choices.serial ?? Hex.string(seed, digits: 16).uppercased()
        services = Self.table(choices)
        properties = Dictionary(
            services.flatMap(\.characteristics).map { ($0.id, $0.properties) }, uniquingKeysWith: { $1 })
        deviceName = choices.name
        advertisedName = choices.name
        settings = choices.settings
        battery = choices.batteryLevel
        rawRate = choices.fingerRate
        motion = HandMotion(seed: seed)
    }

    /// Whether the device currently accepts a bond. With pairing `mode`, the wearer must allow it.
    public var acceptsPairing: Bool { choices.pairing == .anytime || isOpenForPairing }

    /// Handles a stimulus in the same way as a real TAP.
    public mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        var turn = Turn(now: now)
        switch stimulus {
        case .poweredOn:
            startedAt = now
            switchOn(&turn)
        case .connected(let mtu): connected(mtu: mtu, &turn)
        case .disconnected: disconnected(&turn)
        case .bonded: setPairing(open: false, &turn)
        case .read(let id): read(id, &turn)
        case .write(let id, let bytes, _): write(id, bytes, &turn)
        case .subscribed(let id, let isWanted): subscribed(id, isWanted, &turn)
        case .timer(let name): timer(name, &turn)
        case .act(let words): act(words, &turn)
        }
        reactions += turn.reactions
    }

    private mutating func timer(_ name: String, _ turn: inout Turn) {
        switch Timer(rawValue: name) {
        case .mode: enter(.text, because: "time-out", &turn)
        case .keepAlive: senseNothing(because: "time-out", &turn)
        case .command:
            guard let command = heldCommand else { return }
            heldCommand = nil
            do throws(Rejected) { try obey(command, &turn) } catch { turn.reject(Attribute.command, error) }
        case .raw: sendFrames(&turn)
        case .hand: sendHand(&turn)
        case .vibration: advanceVibration(&turn)
        case .battery: drainBattery(&turn)
        case .pairing: setPairing(open: false, &turn)
        case nil: break
        }
    }

    private func read(_ id: CharacteristicID, _ turn: inout Turn) {
        guard let can = properties[id], can.contains(.read), let value = value(of: id) else {
            turn.reactions.append(.refused(ATTError.readNotPermitted))
            return
        }
        turn.reactions.append(.value(value))
    }

    /// Carries out a write. The response precedes all effects of the write.
    private mutating func write(_ id: CharacteristicID, _ bytes: [UInt8], _ turn: inout Turn) {
        guard let can = properties[id], !can.isDisjoint(with: [.write, .writeWithoutResponse]) else {
            turn.reactions.append(.refused(ATTError.writeNotPermitted))
            return
        }
        var outcome = Turn(now: turn.now)
        var answer = Reaction.written
        do throws(Rejected) {
            switch id {
            case Attribute.command: try receive(bytes, &outcome)
            case Attribute.frameCommand: try receive(frame: bytes, &outcome)
            case Attribute.userInterface: try userInterface(bytes, &outcome)
            case Attribute.gesture: try requestState(bytes, &outcome)
            case Attribute.request: try requestData(bytes, &outcome)
            case Attribute.name: try rename(bytes, &outcome)
            case Attribute.settings: try set(settings: bytes, &outcome)
            default: break
            }
        } catch {
            if let code = error.code ?? choices.rejection { answer = .refused(code) }
            outcome.reject(id, error)
        }
        turn.reactions.append(answer)
        turn.reactions += outcome.reactions
    }
}
