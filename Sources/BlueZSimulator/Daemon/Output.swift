import DBus
import VirtualDevices

/// Says what the look-alike's shell must do, in order.
enum Output: Hashable, Sendable {
    /// Answer a call.
    case reply(Int, [Value])
    /// Answer a call with an error.
    case failure(Int, DBusError)
    /// Put interfaces of an object on the bus.
    case added(ObjectPath, [Interface])
    /// Take interfaces of an object off the bus; nil for all.
    case removed(ObjectPath, [String]?)
    /// Set properties of an object and signal them together; nil for one that is gone.
    case changed(ObjectPath, String, [Property])
    /// Ask a pairing agent; the answer comes back with the number.
    case askAgent(Int, AgentCall)
    /// Tell a pairing agent something that needs no answer.
    case tellAgent(AgentCall)
    /// Make a pair of sockets, keep one under this number and answer the call with the other and the MTU.
    case openChannel(Int, call: Int, mtu: UInt16)
    /// Close a socket that was opened under this number.
    case closeChannel(Int)
    /// Send a packet through a socket.
    case send(Int, [UInt8])
    /// Keep what is to be remembered over a restart.
    case remember([KnownDevice])
    /// The adapters are on the bus.
    case ready
    /// Tell the one who watches.
    case report(Report)

    /// An interface of an object with the properties that it has now.
    struct Interface: Hashable, Sendable {
        var name: String
        var properties: [Property]
    }

    /// A property and its value.
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
