public import Bluetooth
public import JSON

/// Identifies a command within a state machine, so that the answer reaches the command's sender. Contains the arrival
/// time, because the command can wait in a queue.
public struct CommandID: Hashable, Sendable {
    /// The number of the command, unique within the state machine.
    public let number: UInt64
    /// The arrival time, on the clock of the inputs; nil means that the command has just arrived.
    public let arrival: Duration?
    /// Creates an identifier from a number.
    public init(_ number: UInt64, arrival: Duration? = nil) {
        self.number = number
        self.arrival = arrival
    }
}

/// The name of a timer of a state machine. Starting a running timer restarts it.
public struct TimerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name of the timer.
    public let description: String
    /// Creates a name from a literal.
    public init(stringLiteral value: String) { description = value }
    /// Creates a name from a text.
    public init(_ name: String) { description = name }
}

/// The parts of an advertisement that differ from the last one of the same device.
public struct Broadcast: Hashable, Sendable {
    /// The service data, by service, without the UUID.
    public var serviceData: [UUID: [UInt8]]
    /// The manufacturer data, by company number, without the number.
    public var manufacturerData: [UInt16: [UInt8]]
    /// The received signal strength in dBm.
    public var rssi: Int?
    /// Whether the host had the data before the bridge started. Such data is no event.
    public var isCached: Bool

    /// Creates a description; omitted data has not changed.
    public init(
        serviceData: [UUID: [UInt8]] = [:], manufacturerData: [UInt16: [UInt8]] = [:], rssi: Int? = nil,
        isCached: Bool = false
    ) {
        self.serviceData = serviceData
        self.manufacturerData = manufacturerData
        self.rssi = rssi
        self.isCached = isCached
    }
}

/// An input of a state machine. The machine has no other sources: no clock, no logger, no bus.
public enum Input: Sendable {
    /// The link is up and the GATT table is known. The machine starts its handshake.
    case connected(LinkProfile)
    /// The link is gone, for whatever reason. Earlier writes may not have reached the device.
    case disconnected
    /// The device advertised new data.
    case advertised(Broadcast)
    /// The device sent a notification with a value.
    case notification(CharacteristicID, [UInt8])
    /// A read of the machine is complete.
    case readCompleted(CharacteristicID, ReadResult)
    /// A write of the machine is complete: acknowledged by the device or, without response, accepted by the host's
    /// Bluetooth stack.
    case writeCompleted(WriteToken, CharacteristicID, WriteResult)
    /// A subscription of the machine is active, or was refused.
    case subscribed(CharacteristicID, WriteResult)
    /// A checked command for one of the declared features. While the device is offline, only commands with the trait
    /// `kept` arrive.
    case command(CommandID, feature: String, Arguments)
    /// A timer of the machine has expired.
    case timer(TimerName)
    /// All motion and vibration must stop now.
    case stop(StopCause)
    /// The bridge is about to close the link cleanly. The machine makes its last writes and then requests the
    /// disconnect. The time limit is 2 s.
    case close
    /// The reason why commands cannot currently move the device; nil if commands can move it. This input is sent on
    /// every change of the reason.
    case motionBlocked(MotionGate.Block?)
    /// Nothing blocks motion, and all retained messages for the device have arrived. The machine can continue after
    /// ``Effect/awaitClearance``.
    case cleared
    /// The retained message of the state ``Latching/report``, received when the bridge started to manage the device.
    case recalled(feature: String, JSON.Value)
    /// Whether the broker can still deliver the retained message of ``recalled(feature:_:)``: true when the bridge
    /// starts to wait for the message, false after all retained messages have arrived. The initial value is true.
    case recalling(Bool)
    /// An ``Effect/latch(_:)`` is complete: the value is on disk, or storing it failed for this reason.
    case latchKept(Bool, failure: String?)
    /// The guardian ended a motion in place of the bridge, or failed to end it.
    case guardian(GuardianReport)
    /// An input of the gestures of the other device of a pair.
    case relayed(String)
    /// The ``DeviceFamily/changeableSettings`` of the device have changed. They apply to the next link. Settings
    /// named in `atOnce` also apply to the current link and override the values that commands set.
    case settings(Arguments, atOnce: Set<String>)
}

/// The outcome of a motion that the guardian had to end in place of the bridge.
public enum GuardianReport: String, Hashable, Sendable, CaseIterable {
    /// The device stands still: reads returned the written values or, if nothing can be read, the writes were
    /// accepted.
    case confirmed
    /// The device may still move: writes were refused or lost, or reads returned other values.
    case unconfirmed
}

/// The cause of a stop that ends all motion and vibration.
public enum StopCause: String, Hashable, Sendable {
    /// The command `all/stop/set` arrived.
    case allStop = "all_stop"
    /// The connection to the broker is lost.
    case brokerLost = "broker_lost"
    /// The bridge exits.
    case shutdown
    /// The configuration is reloaded.
    case reload
    /// The bridge stalled: its process was stopped or starved.
    case late
    /// The host is about to suspend.
    case suspend
    /// Messages from the broker are delayed.
    case pathLost = "path_lost"
    /// Messages from the broker are still delayed some time after ``pathLost``. The device's power is switched off too.
    case pathGone = "path_gone"
}

/// The result of an operation without a value: a write or a subscription.
public typealias WriteResult = Result<Void, OperationError>
/// The result of a read.
public typealias ReadResult = Result<[UInt8], OperationError>

/// The reason why a read, a write or a subscription failed.
public struct OperationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure that a state machine can handle.
    public enum Code: String, Hashable, Sendable {
        /// The device requires a bonded or encrypted link.
        case notPermitted
        /// The characteristic is missing or does not support the operation.
        case notSupported
        /// The device refuses values of this length.
        case invalidLength
        /// There was no answer in time.
        case timeout
        /// The link was lost during the operation.
        case disconnected
        /// Another kind of failure, which the message describes.
        case failed
    }

    /// The kind of failure.
    public var code: Code
    /// The message of the component that refused the operation.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// `timeout: no answer in 5 s`
    public var description: String { "\(code.rawValue): \(message)" }
}
