public import Bluetooth
public import JSON

/// What a device is, as far as it says so itself.
public struct DeviceInfo: Hashable, Sendable {
    /// Who made it.
    public var manufacturer: String?
    /// Its model.
    public var model: String?
    /// Its hardware revision.
    public var hardware: String?
    /// Its firmware version.
    public var firmware: String?
    /// Its serial number.
    public var serial: String?
    /// The version of its bootloader.
    public var bootloader: String?
    /// The version of the model by which it recognizes what it senses.
    public var modelVersion: String?
    /// The firmware version of its second processor.
    public var secondFirmware: String?

    /// Makes a description; what is not given is not known.
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

/// How a command ended.
public enum Answer: Hashable, Sendable {
    /// Carried out: the device has confirmed it where its protocol has a way to, else the host has sent it. The
    /// members are added to the answer.
    case ok(JSON.Object)
    /// Not carried out.
    case failed(CommandError)

    /// Carried out, nothing more to say.
    public static let ok = Answer.ok([:])
    /// Kept until the device is back.
    public static let kept = Answer.ok(["kept": true])
    /// The stop was taken, and the device's protocol does not tell whether it obeys.
    public static let unconfirmed = Answer.ok(["confirmed": false])
    /// Not sent, because a newer one took its place.
    public static let superseded = Answer.ok(["superseded": true])
    /// Whether it is ``unconfirmed``.
    public var isUnconfirmed: Bool {
        if case .ok(let members) = self { members["confirmed"] == false } else { false }
    }

    /// Not carried out, for this reason.
    public static func failed(_ code: CommandError.Code, _ message: String) -> Answer {
        .failed(CommandError(code, message))
    }
}

/// Says why a device cannot be used over this link, and what a person can do.
public struct DeviceFailure: Error, Hashable, Sendable {
    /// The kinds, which decide what the session does next.
    public enum Code: String, Hashable, Sendable {
        /// It wants to be paired; the session pairs and tries again.
        case pairingRequired
        /// It did not answer as its protocol says; the session tries again later.
        case handshake
        /// It is another device than it seemed; the session leaves it alone for long.
        case notThisFamily
        /// It switched itself off; the session waits until it is seen again.
        case poweredOff
        /// It shows itself to be a keyboard or the like, which was not let in; the session leaves it alone
        /// for long.
        case inputDevice
    }

    /// The kind.
    public var code: Code
    /// What happened, in words.
    public var reason: String
    /// What a person can do, in words.
    public var advice: String?

    /// Makes a failure.
    public init(_ code: Code, _ reason: String, advice: String? = nil) {
        self.code = code
        self.reason = reason
        self.advice = advice
    }
}

/// How much a remark of a state machine matters.
public enum RemarkLevel: Hashable, Sendable {
    /// Only for one who looks for a fault.
    case debug
    /// Worth a line.
    case info
    /// Something is not as it should be.
    case warning
}

/// What a device's state machine wants done. The session carries effects out in their order.
public enum Effect: Hashable, Sendable {
    /// Write a value.
    case write(Write)
    /// Read a value, behind the normal writes that wait.
    case read(CharacteristicID)
    /// Ask for notifications, behind the normal writes that wait.
    case subscribe(CharacteristicID)
    /// Ask for no more notifications.
    case unsubscribe(CharacteristicID)
    /// Publish a value under a declared feature's name. States that did not change are not sent again; events
    /// get `time` and `seq`.
    case publish(feature: String, JSON.Value)
    /// Take a state back, because it is not known any more.
    case withdraw(feature: String)
    /// Say what the device is.
    case identify(DeviceInfo)
    /// Say which of the declared features the device lacks; it has all others. That holds, over restarts too,
    /// until it is said anew.
    case lack(Lacking)
    /// Answer a command; each is answered exactly once.
    case answer(CommandID, Answer)
    /// Start a timer, or move it.
    case startTimer(TimerName, after: Duration)
    /// Stop a timer, if it runs.
    case cancelTimer(TimerName)
    /// The handshake is done: the device is online.
    case ready
    /// Close the link because this device cannot be used over it.
    case fail(DeviceFailure)
    /// Close the link in good order.
    case disconnect
    /// Tell ``Input/cleared`` as soon as nothing blocks motion; a stop before that, or the link's end,
    /// cancels it.
    case awaitClearance
    /// Keep a value over restarts of the bridge; nil forgets it.
    case remember(key: String, JSON.Value?)
    /// Keep on the disk whether the emergency stop is set, behind the writes of the same input;
    /// ``Input/latchKept(_:failure:)`` answers. At most one is under way. Only for a family with a
    /// ``DeviceFamily/latching``.
    case latch(Bool)
    /// Count one more of something: a cause of a stop, a frame that was not understood. The bridge's `stats`
    /// show the sums of a family's devices by name.
    case count(String)
    /// Say something in the log.
    case remark(RemarkLevel, String)
}
