import Bluetooth
import DeviceKit
import JSON
import VirtualDevices

/// A family's state machine and a virtual device on one virtual clock, with a link between them whose every operation
/// takes a connection interval; what its wearer feels can be asked at any moment.
struct Worn {
    private static let latency = Duration.milliseconds(15)

    private let family: any DeviceFamily
    private var machine: any DeviceMachine
    private var device: any VirtualDevice
    private(set) var now = Duration.zero
    private var machineTimers: [TimerName: Duration] = [:]
    private var deviceTimers: [String: Duration] = [:]
    private var normal: [Effect] = []
    private var ahead: [Effect] = []
    private var nextOperation = Duration.zero
    private var lastCommand: UInt64 = 0

    private(set) var isReady = false
    private(set) var reports: [String: JSON.Value] = [:]
    private(set) var answers: [UInt64: DeviceKit.Answer] = [:]
    /// How strong the strongest motor runs, 0 to 1.
    private(set) var strength = 0.0

    init(_ family: any DeviceFamily, _ device: any VirtualDevice) {
        self.family = family
        self.device = device
        var settings = Arguments()
        for field in family.settings { settings.values[field.name] = field.default }
        machine = family.makeMachine(DeviceContext(address: "C0:FF:EE:00:00:01", settings: settings))
        stimulate(.poweredOn)
        stimulate(.connected(mtu: 185))
        stimulate(.bonded)
        var profile = LinkProfile(characteristics: [:], mtu: 185, isPaired: true)
        for service in device.services {
            for characteristic in service.characteristics {
                profile.characteristics[characteristic.id] = characteristic.properties
            }
        }
        feed(.connected(profile))
        // Not a whole number of seconds, so that nothing coincides with what the device sends of its own accord.
        run(.milliseconds(20_700))
    }

    /// Sends a command, and returns when its effects are on their way.
    @discardableResult
    mutating func command(_ feature: String, _ arguments: Arguments) -> UInt64 {
        lastCommand += 1
        let id = lastCommand
        feed(.command(CommandID(id), feature: feature, arguments))
        return id
    }

    /// Lets time pass.
    mutating func run(_ time: Duration) {
        let end = now + time
        while true {
            let operation = normal.isEmpty && ahead.isEmpty ? nil : max(now, nextOperation)
            let moments = [operation, machineTimers.values.min(), deviceTimers.values.min()]
            guard let next = moments.compactMap({ $0 }).min(), next <= end else { break }
            now = max(now, next)
            if operation == next {
                nextOperation = now + Self.latency
                operate(ahead.isEmpty ? normal.removeFirst() : ahead.removeFirst())
            } else if let timer = machineTimers.first(where: { $0.value == next }) {
                machineTimers[timer.key] = nil
                feed(.timer(timer.key))
            } else if let timer = deviceTimers.first(where: { $0.value == next }) {
                deviceTimers[timer.key] = nil
                stimulate(.timer(timer.key))
            }
        }
        now = end
    }

    private mutating func operate(_ operation: Effect) {
        switch operation {
        case .write(let write):
            let reactions = stimulate(
                .write(write.characteristic, write.value, withResponse: write.kind == .withResponse))
            feed(.writeCompleted(write.token, write.characteristic, Self.result(reactions).map { _ in }))
        case .read(let id): feed(.readCompleted(id, Self.result(stimulate(.read(id)))))
        case .subscribe(let id):
            feed(.subscribed(id, Self.result(stimulate(.subscribed(id, true))).map { _ in }))
        default: break
        }
    }

    private static func result(_ reactions: [Reaction]) -> Result<[UInt8], OperationError> {
        for reaction in reactions {
            switch reaction {
            case .value(let bytes): return .success(bytes)
            case .refused(let code): return .failure(OperationError(.failed, "\(code)"))
            default: break
            }
        }
        return .success([])
    }

    @discardableResult
    private mutating func stimulate(_ stimulus: Stimulus) -> [Reaction] {
        var reactions: [Reaction] = []
        device.handle(stimulus, at: now, reactions: &reactions)
        for reaction in reactions {
            switch reaction {
            case .notify(let id, let bytes): feed(.notification(id, bytes))
            case .startTimer(let name, let delay): deviceTimers[name] = now + delay
            case .cancelTimer(let name): deviceTimers[name] = nil
            case .report(.feel(let motors)): strength = Double(motors.map(\.intensity).max() ?? 0) / 100
            case .report(.vibrate(let isOn)): strength = isOn ? 1 : 0
            default: break
            }
        }
        return reactions
    }

    private mutating func feed(_ input: Input) {
        for effect in machine.effects(of: input, at: now) {
            switch effect {
            case .write(let write):
                if write.priority == .normal { normal.append(effect) } else { ahead.append(effect) }
            case .read, .subscribe: normal.append(effect)
            case .publish(let feature, let value): reports[feature] = value
            case .answer(let id, let answer): answers[id.number] = answer
            case .startTimer(let name, let delay): machineTimers[name] = now + delay
            case .cancelTimer(let name): machineTimers[name] = nil
            case .ready: isReady = true
            default: break
            }
        }
    }
}
