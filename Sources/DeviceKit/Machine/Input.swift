public import Bluetooth
public import JSON

/// Names a command on its way through a device's state machine, so that its answer finds its sender, and says when
/// it arrived: it may have waited since.
public struct CommandID: Hashable, Sendable {
    /// A number that is given once.
    public let number: UInt64
    /// When it arrived, on the clock of the inputs; nil where that is not told: just now.
    public let arrival: Duration?
    /// Makes an identifier of its number.
    public init(_ number: UInt64, arrival: Duration? = nil) {
        self.number = number
        self.arrival = arrival
    }
}

/// Names a timer of a device's state machine; starting one that runs already moves it.
public struct TimerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String
    /// Lets a literal stand for a name.
    public init(stringLiteral value: String) { description = value }
    /// Makes a name.
    public init(_ name: String) { description = name }
}

/// What a device's state machine is told. Nothing else reaches it: no clock, no logger, no bus.
public enum Input: Sendable {
    /// The link is up and the GATT table is known; the machine begins its handshake.
    case connected(LinkProfile)
    /// The link is gone, whatever the reason; nothing written before can be relied upon.
    case disconnected
    /// A value was notified.
    case notification(CharacteristicID, [UInt8])
    /// A read that the machine asked for is done.
    case readCompleted(CharacteristicID, ReadResult)
    /// A write that the machine asked for is done: acknowledged by the device, or for a write without response
    /// taken by the host's Bluetooth stack.
    case writeCompleted(WriteToken, CharacteristicID, WriteResult)
    /// A subscription that the machine asked for is in force, or was refused.
    case subscribed(CharacteristicID, WriteResult)
    /// A checked command for one of the declared features. While the device is away only commands with the
    /// trait `kept` arrive.
    case command(CommandID, feature: String, Arguments)
    /// A timer that the machine started has run out.
    case timer(TimerName)
    /// Whatever moves or vibrates must stop now.
    case stop(StopCause)
    /// The bridge wants to close the link in good order: the machine writes what must be written and then asks
    /// for the disconnect. It has two seconds.
    case close
    /// Why the device takes no command that moves it now; nil if it takes them. Told when it changes.
    case motionBlocked(MotionGate.Block?)
    /// Nothing blocks motion, and all that the broker had in store for the device was told: what the machine asked for
    /// with ``Effect/awaitClearance`` may be done.
    case cleared
    /// The broker had this state of the device in store, as ``Latching/report`` names it, when the bridge took the
    /// device up.
    case recalled(feature: String, JSON.Value)
    /// Whether the broker may still have such a state in store: true when the bridge begins to wait for it, false
    /// when all that was in store has arrived. True holds until the first is told.
    case recalling(Bool)
    /// An ``Effect/latch(_:)`` is done: it is on the disk, or is not for this reason.
    case latchKept(Bool, failure: String?)
    /// The guardian ended a motion in the bridge's place, or could not.
    case guardian(GuardianReport)
    /// The device has other ``DeviceFamily/changeableSettings`` from now on. They apply to the next link, and
    /// those named in `atOnce` to the present one too, in place of what commands set.
    case settings(Arguments, atOnce: Set<String>)
}

/// What became of a motion that the guardian had to end because the bridge did not.
public enum GuardianReport: String, Hashable, Sendable, CaseIterable {
    /// The device is at rest: what was written reads back so or, where nothing can be read, was taken.
    case confirmed
    /// It is not known whether the device is at rest: its writes were refused or lost, or read back otherwise.
    case unconfirmed
}

/// Why everything must stop.
public enum StopCause: String, Hashable, Sendable {
    /// `all/stop/set`
    case allStop = "all_stop"
    /// The connection to the broker is lost.
    case brokerLost = "broker_lost"
    /// The bridge ends.
    case shutdown
    /// The configuration is read anew.
    case reload
    /// The bridge was late: its process was stopped or starved.
    case late
    /// The host goes to sleep.
    case suspend
    /// The way from the broker to the bridge is late.
    case pathLost = "path_lost"
    /// The way from the broker was lost and did not come back: power goes too.
    case pathGone = "path_gone"
}

/// The result of an operation without a value: a write or a subscription.
public typealias WriteResult = Result<Void, OperationError>
/// The result of a read.
public typealias ReadResult = Result<[UInt8], OperationError>

/// Says why a read, a write or a subscription failed.
public struct OperationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that a device's state machine can do something about.
    public enum Code: String, Hashable, Sendable {
        /// The device wants a bonded or encrypted link.
        case notPermitted
        /// The characteristic is not there or cannot do this.
        case notSupported
        /// The value has a length that the device refuses.
        case invalidLength
        /// No answer in time.
        case timeout
        /// The link went away meanwhile.
        case disconnected
        /// Anything else, in the message.
        case failed
    }

    /// The kind.
    public var code: Code
    /// The words of the one who refused.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// `timeout: no answer in 5 s`
    public var description: String { "\(code.rawValue): \(message)" }
}
