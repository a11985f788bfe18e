import Bluetooth
import DeviceKit
import JSON
import Logging

// What a session is given, and what it tells the bridge.
extension DeviceSession {
    /// What the session needs of the world.
    struct World: Sendable {
        var radio: any Radio
        var broker: any Broker
        var latches: any LatchStore
        var time: any TimeSource
        var expiryClock: ExpiryClock
        var guardian: (any Guardian)?
        var executor: any SerialExecutor
        var topics: Topics
        var logger: Logger
        /// Whether the bridge that makes a claim lives.
        var life: @Sendable (Claim) -> Peers.Life
        /// Whether another bridge's link goes over the adapter of this name, which both use then.
        var sharesAdapter: @Sendable (Claim, String) -> Bool
        /// What a new state machine of the device is told: what the last one wanted remembered, and its latch.
        var keepsakes: @Sendable () -> (memory: JSON.Object, latch: Latch)
        /// Called on the executor when something changed that the bridge reports.
        var changed: @Sendable (Change) -> Void
    }

    /// What the bridge is told.
    enum Change: Sendable {
        /// The connection's state, and with it perhaps the wish for discovery.
        case connection
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
        /// A retained topic was published for the first time.
        case published(topic: String)
        /// Retained topics are somebody else's now.
        case released(topics: [String])
        /// Retained topics are cleared.
        case cleared(topics: [String])
        /// What is said of the device is new, or this bridge begins to say it.
        case described
        /// Another bridge speaks for the device.
        case silent
        /// Two connected, configured devices have one name.
        case nameShared(with: Claim)
    }
}
