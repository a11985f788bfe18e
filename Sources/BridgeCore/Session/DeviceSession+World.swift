import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging

// What a session is given, and what it tells the bridge.
extension DeviceSession {
    /// What the session needs of the world.
    struct World {
        var radio: any Radio
        var broker: any Broker
        var latches: any LatchStore
        var time: any TimeSource
        var expiryClock: ExpiryClock
        var guardian: any Guardian
        var topics: Topics
        var logger: Logger
        /// The way into the session for what a port calls back.
        var enter: Entrance
        /// Whether the configuration lets what people type be logged.
        var logsTyping: () -> Bool = { false }
        /// Takes down what comes and goes while a recording runs.
        var tape = Tape()
        /// The families that the bridge knows.
        var families: () -> [any DeviceFamily] = { [] }
        /// What is known of other bridges.
        var neighbors: Neighbors
        /// How many links the adapters of the host have and bear.
        var slots: AdapterSlots
        /// The bridges that the roster prefers for the device.
        var preferred: () -> [String]
        /// Whether this bridge may claim devices.
        var mayClaim: () -> Bool
        /// Whether another bridge's link goes over the adapter of this name, which both use then.
        var sharesAdapter: (Claim, String) -> Bool
        /// What a new state machine of the device is told: what the last one wanted remembered, and its latch.
        var keepsakes: () -> (memory: JSON.Object, latch: Latch)
        /// Takes the answer to a command that the bridge handed on; nil where another bridge answers for the device.
        var collected: (Answer?, CommandRequest.Collector) -> Void
        /// Called when something changed that the bridge reports.
        var changed: (Change) -> Void
    }

    /// Lets go of the bridge, at its end.
    func leaveBridge() {
        clock.end()
        world.expiryClock.unsynchronised = {}
        world.families = { [] }
        world.neighbors = .none
        world.slots.forget(world.enter.number, at: now)
        world.logsTyping = { false }
        world.preferred = { [] }
        world.mayClaim = { false }
        world.sharesAdapter = { _, _ in false }
        world.keepsakes = { ([:], .unconfirmed) }
        world.collected = { _, _ in }
        world.changed = { _ in }
    }

    /// The way into a session from outside of the bridge's isolation, on the bridge's executor.
    struct Entrance: Sendable {
        weak let bridge: Bridge?
        let number: Int

        /// Does something with the session at once; nil if it is no more. On the bridge's executor only.
        @discardableResult
        func callAsFunction<Result: Sendable>(_ body: @Sendable (DeviceSession) -> Result) -> Result? {
            bridge?.assumeIsolated { bridge in bridge.fleet.session(number: number).map(body) }
        }

        /// Does something that waits.
        func wait(_ job: Job) async { await bridge?.wait(job, of: number) }
    }

    /// What the bridge is told.
    enum Change: Sendable {
        /// The connection's state, and with it perhaps the wish for discovery.
        case connection
        /// Why it is left to other bridges, or not, or how it uses an adapter.
        case offering
        /// Commands to the device are for this bridge, or are not any more.
        case listening
        /// A value to keep over restarts.
        case remember(key: String, JSON.Value?)
        /// The device's emergency stop is set, or is cleared on the disk.
        case latch(Latch)
        /// Another device holds this name at the broker.
        case nameTaken
        /// An echo is needed now, as a proof for the motion gate.
        case wantsEcho
        /// Something of the device failed.
        case failed(DeviceFailure)
        /// The device refused a link or a bond, or lacks what its family needs.
        case refused(RadioError)
        /// The device calls itself otherwise than before.
        case named
        /// A retained topic was published for the first time.
        case published(topic: String)
        /// Retained topics are left to another bridge.
        case released(topics: [String])
        /// Retained topics are cleared.
        case cleared(topics: [String])
        /// What is said of the device is new, or this bridge begins to say it.
        case described
        /// The device has other features than was known.
        case features
        /// Another bridge speaks for the device.
        case silent
        /// What the device did at another bridge is too old to go on with.
        case lapsed([String])
        /// The device came from another bridge; nobody had it for this time, where that is known.
        case handedOver(HandOverReason, after: Duration?)
        /// The connection to the device was offered to other bridges.
        case offered
        /// Another bridge claims the link that this one has.
        case contested
        /// Two connected, configured devices have one name.
        case nameShared(with: NameRival)
    }
}
