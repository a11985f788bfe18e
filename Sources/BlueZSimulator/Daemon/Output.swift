import DBus
import VirtualDevices

/// What the daemon does as the result of an input. ``LookAlike`` carries out the outputs in order.
enum Output: Hashable, Sendable {
    /// Answer a call.
    case reply(Int, [Value])
    /// Answer a call with an error.
    case failure(Int, DBusError)
    /// Add interfaces of an object to the bus.
    case added(ObjectPath, [Interface])
    /// Remove interfaces of an object from the bus; nil for all interfaces.
    case removed(ObjectPath, [String]?)
    /// Set properties of an object and emit one signal for them. A property without a value is removed.
    case changed(ObjectPath, String, [Property])
    /// Call a pairing agent. The agent's answer is passed to the daemon with this number.
    case askAgent(Int, AgentCall)
    /// Call a pairing agent without waiting for an answer.
    case tellAgent(AgentCall)
    /// Create a pair of sockets, keep one socket under this number, and answer the call with the other socket and the
    /// MTU.
    case openChannel(Int, call: Int, mtu: UInt16)
    /// Close the socket with this number.
    case closeChannel(Int)
    /// Send a packet through a socket.
    case send(Int, [UInt8])
    /// Store the devices that are kept across a restart.
    case remember([KnownDevice])
    /// The adapters are on the bus.
    case ready
    /// Pass a report to the simulator's output.
    case report(Report)

    /// An interface of an object with its current properties.
    struct Interface: Hashable, Sendable {
        var name: String
        var properties: [Property]
    }

    struct Property: Hashable, Sendable {
        var name: String
        var value: Value?

        init(_ name: String, _ value: Value?) {
            self.name = name
            self.value = value
        }
    }

    /// A call of an agent's method.
    struct AgentCall: Hashable, Sendable {
        var owner: String
        var path: ObjectPath
        var member: String
        var arguments: [Value]
    }
}
