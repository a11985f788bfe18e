import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging

// The dependencies of a session, and its reports to the bridge.
extension DeviceSession {
    /// The ports and functions of the bridge that a session uses.
    struct Context {
        var radio: any Radio
        var broker: any Broker
        var latches: any LatchStore
        var time: any TimeSource
        var expiryClock: ExpiryClock
        var guardian: any Guardian
        var topics: Topics
        var logger: Logger
        /// Lets callbacks of the ports call the session.
        var enter: Entrance
        /// Whether the configuration allows that typed input is logged.
        var logsTyping: () -> Bool = { false }
        var recorder = Recorder()
        var families: () -> [any DeviceFamily] = { [] }
        /// What the bridge knows about the other bridges.
        var neighbors: Neighbors
        /// The links that each adapter of the host has and supports.
        var slots: AdapterSlots
        /// The bridges that the roster prefers for the device.
        var preferred: () -> [String]
        /// When a connected device moves to another host.
        var moves: () -> BridgeSettings.Moves
        /// Whether this bridge may publish claims on devices.
        var mayClaim: () -> Bool
        /// Whether another bridge's Bluetooth connection uses this host's adapter with the given name, so that both
        /// bridges share the connection.
        var sharesAdapter: (Claim, String) -> Bool
        /// Returns the state with which a new state machine of the device starts: the values that it stored, and its
        /// emergency stop.
        var restoredState: () -> (memory: JSON.Object, latch: Latch)
        /// Passes on the answer to a command that the bridge forwarded. The answer is nil if another bridge answers for
        /// the device.
        var collected: (Answer?, CommandRequest.Collector) -> Void
        /// Reports a change to the bridge.
        var changed: (Change) -> Void
    }

    /// Releases the references to the bridge, which would otherwise stay in memory after its end.
    func leaveBridge() {
        clock.end()
        context.expiryClock.unsynchronised = {}
        context.families = { [] }
        context.neighbors = .none
        context.slots.forget(context.enter.number, at: now)
        context.logsTyping = { false }
        context.preferred = { [] }
        context.moves = { BridgeSettings.Moves() }
        context.mayClaim = { false }
        context.sharesAdapter = { _, _ in false }
        context.restoredState = { ([:], .unconfirmed) }
        context.collected = { _, _ in }
        context.changed = { _ in }
    }

    /// Calls a session from code outside the bridge's isolation that runs on the bridge's executor.
    struct Entrance: Sendable {
        weak let bridge: Bridge?
        let number: Int

        /// Runs a closure on the session synchronously; returns nil if the session has ended. Call it on the bridge's
        /// executor only.
        @discardableResult
        func callAsFunction<Result: Sendable>(_ body: @Sendable (DeviceSession) -> Result) -> Result? {
            bridge?.assumeIsolated { bridge in bridge.fleet.session(number: number).map(body) }
        }

        /// Runs an asynchronous job on the session.
        func wait(_ job: Job) async { await bridge?.wait(job, of: number) }
    }

    /// A change that the session reports to the bridge.
    enum Change: Sendable {
        /// The state of the Bluetooth connection changed, and with it possibly the need for discovery.
        case connection
        /// The use of an adapter changed, or the reason why this bridge makes no offer to connect (`noOffer`).
        case offering
        /// Whether this bridge receives the commands to the device changed.
        case listening
        /// A value must be kept across restarts.
        case remember(key: String, JSON.Value?)
        /// The state of the device's emergency stop: it is set, or its release is stored on the disk.
        case latch(Latch)
        /// The device must be renamed, because another device on the broker has its name.
        case nameTaken
        /// The motion gate, which decides whether the device may move, needs an echo now, as a proof that messages
        /// arrive in time.
        case wantsEcho
        /// The state machine ended the link with a failure, or the device must not be used.
        case failed(DeviceFailure)
        /// The device refused a link or a bond, or lacks what its family needs.
        case refused(RadioError)
        /// The advertised name of the device changed.
        case named
        /// The device reported a state of its family for the first time.
        case reported
        /// A state that counts in the states of groups may have changed.
        case counted
        /// A retained topic was published for the first time.
        case published(topic: String)
        /// Another bridge owns these retained topics now, so this bridge no longer manages them.
        case released(topics: [String])
        /// Retained topics are cleared.
        case cleared(topics: [String])
        /// The description of the device changed, or this bridge starts to publish it.
        case described
        /// The features of the device changed.
        case features
        /// This bridge publishes nothing for the device any longer, because another bridge owns the device now.
        case silent
        /// The device's activity on its previous bridge is too old to continue. Contains the features of this activity.
        case lapsed([String])
        /// The device came from another bridge. The duration is the time without a connection to any bridge, if
        /// known.
        case handedOver(HandOverReason, after: Duration?)
        /// This bridge published an ``Offer`` for the device.
        case offered
        /// Another bridge claims to have the Bluetooth connection that this bridge has.
        case contested
        /// The device gives a command.
        case gives(DeviceCommand)
        /// The gestures of the other device of a pair get an input.
        case relay(to: String, input: String)
        /// Another bridge's device has this device's name. Both are connected and configured, so neither is renamed.
        case nameShared(with: NameRival)
    }
}
