public import Bluetooth
public import JSON

/// A description of the device, as far as the device reports it.
public struct DeviceInfo: Hashable, Sendable {
    /// The name of the manufacturer.
    public var manufacturer: String?
    /// The model of the device.
    public var model: String?
    /// The hardware revision of the device.
    public var hardware: String?
    /// The firmware version of the device.
    public var firmware: String?
    /// The serial number of the device.
    public var serial: String?
    /// The version of the device's bootloader.
    public var bootloader: String?
    /// The version of the model that the device uses to recognize sensor input.
    public var modelVersion: String?
    /// The firmware version of the device's second processor.
    public var secondFirmware: String?

    /// Creates a description; omitted values are unknown.
    public init(
        manufacturer: String? = nil, model: String? = nil, hardware: String? = nil, firmware: String? = nil,
        serial: String? = nil, bootloader: String? = nil, modelVersion: String? = nil,
        secondFirmware: String? = nil
    ) {
        self.manufacturer = manufacturer
        self.model = model
        self.hardware = hardware
        self.firmware = firmware
        self.serial = serial
        self.bootloader = bootloader
        self.modelVersion = modelVersion
        self.secondFirmware = secondFirmware
    }
}

/// The outcome of a command.
public enum Answer: Hashable, Sendable {
    /// The command was carried out: the device confirmed the command or, if the protocol has no confirmation, the host
    /// sent it. The members are added to the answer.
    case ok(JSON.Object)
    /// The command was not carried out.
    case failed(CommandError)

    /// The command was carried out; the answer has no additional members.
    public static let ok = Answer.ok([:])
    /// The command is kept until the device is online again.
    public static let kept = Answer.ok(["kept": true])
    /// The device accepted the stop, but its protocol does not show whether it obeys.
    public static let unconfirmed = Answer.ok(["confirmed": false])
    /// The command was not sent, because a newer command replaced it.
    public static let superseded = Answer.ok(["superseded": true])
    /// Whether the answer is ``unconfirmed``.
    public var isUnconfirmed: Bool {
        if case .ok(let members) = self { members["confirmed"] == false } else { false }
    }

    /// The command was not carried out: an answer with this error code and message.
    public static func failed(_ code: CommandError.Code, _ message: String) -> Answer {
        .failed(CommandError(code, message))
    }
}

/// The reason why a device cannot be used over this link, and what the user can do.
public struct DeviceFailure: Error, Hashable, Sendable {
    /// The kinds of failure, which determine the next step of the session.
    public enum Code: String, Hashable, Sendable {
        /// The device requires a bond. The session bonds and tries again.
        case pairingRequired
        /// The device did not answer as its protocol requires. The session tries again later.
        case handshake
        /// The device does not belong to this family. The session avoids it for a long time.
        case notThisFamily
        /// The device switched itself off. The session waits for an advertisement.
        case poweredOff
        /// The device turned out to be a keyboard or similar input device that was not allowed to join. The session
        /// avoids it for a long time.
        case inputDevice
    }

    /// The kind of failure.
    public var code: Code
    /// The reason of the failure, in words.
    public var reason: String
    /// Advice for the user, in words.
    public var advice: String?

    /// Creates a failure.
    public init(_ code: Code, _ reason: String, advice: String? = nil) {
        self.code = code
        self.reason = reason
        self.advice = advice
    }
}

/// The level of a log line of a state machine.
public enum RemarkLevel: Hashable, Sendable {
    /// The line is only for troubleshooting.
    case debug
    /// The line is normal information.
    case info
    /// The line reports that something is wrong.
    case warning
}

/// A command that a device gives, to another device or to itself.
public struct DeviceCommand: Hashable, Sendable {
    /// The name of the device that receives it; nil for the device that gives it.
    public var device: String?
    /// The name of the feature.
    public var feature: String
    /// The payload, as on the feature's topic.
    public var payload: JSON.Value

    /// Creates a command.
    public init(device: String? = nil, feature: String, payload: JSON.Value) {
        self.device = device
        self.feature = feature
        self.payload = payload
    }
}

/// An action that a state machine requests. The session carries out effects in order.
public enum Effect: Hashable, Sendable {
    /// Write a value.
    case write(Write)
    /// Read a value after the normal writes that are already queued.
    case read(CharacteristicID)
    /// Enable notifications after the normal writes that are already queued.
    case subscribe(CharacteristicID)
    /// Disable notifications.
    case unsubscribe(CharacteristicID)
    /// Publish a value under the name of a declared feature. A state that did not change is not published again.
    /// Events get `time` and `seq`.
    case publish(feature: String, JSON.Value)
    /// Remove the published value of a state, because the value is no longer known.
    case withdraw(feature: String)
    /// Report the description of the device.
    case identify(DeviceInfo)
    /// Report which of the declared features the device lacks. The report remains valid, also over restarts of the
    /// bridge, until the next report.
    case lack(Lacking)
    /// Answer a command. Each command is answered exactly once.
    case answer(CommandID, Answer)
    /// Start a timer. If the timer is running, it restarts with the new time.
    case startTimer(TimerName, after: Duration)
    /// Stop a timer, if it runs.
    case cancelTimer(TimerName)
    /// The handshake is complete: the device is online.
    case ready
    /// Close the link, because the device cannot be used over this link.
    case fail(DeviceFailure)
    /// Close the link cleanly. The state machine requests this when its last writes are complete.
    case disconnect
    /// Request ``Input/cleared`` as soon as nothing blocks motion. A stop or the end of the link cancels the request.
    case awaitClearance
    /// Keep a value over restarts of the bridge; nil deletes the kept value.
    case remember(key: String, JSON.Value?)
    /// Store on disk whether the emergency stop is set, after the writes of the same input. The result is
    /// ``Input/latchKept(_:failure:)``. At most one request is in progress. Only for a family with a
    /// ``DeviceFamily/latching``.
    case latch(Bool)
    /// Increment a counter, for instance of invalid frames or of stops with one cause. The bridge's `stats` report
    /// contains, by the counter's name, the sum over all devices of a family.
    case count(String)
    /// Send a command to the device itself, or to a device that the configuration allows. Hazardous devices take none.
    indirect case command(DeviceCommand)
    /// Pass an input of this device's gestures to the other device of a pair, by its name.
    case relay(to: String, input: String)
    /// Write a log line.
    case remark(RemarkLevel, String)
}
