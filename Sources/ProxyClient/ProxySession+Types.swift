package import Bluetooth
package import ESPHome

extension ProxySession {
    /// An action for the owner, or a result.
    package enum Output: Hashable, Sendable {
        case send([UInt8])
        /// Close the TCP connection after everything was sent. The session has ended.
        case close(Failure)
        case event(Event)
        /// The result of an operation, by its number: the value of a read, otherwise empty.
        case completed(Int, Result<[UInt8], OperationFailure>)
    }

    /// A fact about the proxy or a device.
    package enum Event: Hashable, Sendable {
        /// The proxy is the expected node and has the required functions.
        case identified(DeviceInfo)
        case subscription(SubscriptionState)
        case scanner(ScannerState)
        case slots(Slots)
        case advertisements([RawAdvertisement])
        /// A device is connected, and its services are known.
        case connected(Address, mtu: Int, [ServiceEntry])
        case connectFailed(Address, LinkFailure)
        case disconnected(Address, LinkFailure)
        case notification(Address, handle: UInt16, [UInt8])
        /// The proxy has removed its bond with a device, or had none.
        case unpaired(Address)
    }

    /// Whether this client is the subscriber, the only client that can use devices.
    package enum SubscriptionState: Hashable, Sendable {
        case active
        /// Another client is the subscriber. This client tries again.
        case refused
        /// Another client has replaced this client. Only a user may replace it in turn, because it gets no message.
        case displaced
        /// This client may not subscribe before ``ProxySession/subscribe(at:)``.
        case withheld
    }

    /// The reason for the end of a session.
    package enum Failure: Hashable, Sendable {
        /// No TCP connection can be opened.
        case unreachable
        /// The proxy has closed the TCP connection.
        case lost
        /// The proxy closes each TCP connection at once, because all places of clients are taken.
        case noPlace
        /// The proxy does not answer.
        case silent
        /// The proxy announces the end of the TCP connection, such as before a restart.
        case announced
        case transport(TransportError)
        case undecodable(type: UInt16, MessageError)
        /// The API of the proxy has an unsupported major version.
        case version(UInt32)
        /// The proxy lacks functions: its firmware has to be updated.
        case features(ProxyFeatures)
        /// A node with another MAC address answers.
        case otherNode(String)
        case wrongPassword
        /// The owner has ended the session.
        case stopped

        /// Whether a further attempt fails, too, until a user changes something.
        package var needsUser: Bool {
            switch self {
            case .version, .features, .otherNode, .wrongPassword: true
            case .transport(let error): error.code != .invalidFrame
            case .unreachable, .lost, .noPlace, .silent, .announced, .undecodable, .stopped: false
            }
        }
    }

    /// The reason why a device cannot be connected, or is no longer connected.
    package enum LinkFailure: Hashable, Sendable {
        case noSlot
        case timedOut
        /// The list of services is incomplete.
        case noServices
        /// The owner has requested the end.
        case requested
        /// The device is already connected, or its last connection has not ended yet.
        case busy
        /// The proxy is not connected, or another client is the subscriber.
        case unavailable
        /// An error of the HCI or of Bluedroid.
        case code(Int32)
    }

    /// The reason why an operation failed.
    package enum OperationFailure: Error, Hashable, Sendable {
        case notConnected
        /// The value is longer than the connection allows; the proxy would cut it.
        case tooLong(most: Int)
        /// An ATT error code, or the error of a pairing.
        case refused(Int32)
        /// The acknowledgment of an earlier write is late.
        case stalled
        /// Too many operations wait.
        case full
    }

    /// An operation on an attribute of a device.
    package enum Operation: Hashable, Sendable {
        case read
        case write([UInt8], withResponse: Bool)
        /// Starts or stops notifications or indications. The descriptor is the characteristic's client configuration;
        /// nil if it has none.
        case notify(Bool, descriptor: UInt16?, isIndication: Bool)
        /// Bonds the device with the proxy. The handle has no meaning.
        case pair
    }

    /// The time limits and maximum numbers.
    package struct Limits: Hashable, Sendable {
        /// The time for a TCP connection.
        var open = Duration.seconds(10)
        /// The time for handshake, hello and description.
        var identification = Duration.seconds(30)
        var pingAfter = Duration.seconds(5)
        var silence = Duration.seconds(15)
        /// The time for the answer to a subscription, and to its check.
        var subscription = Duration.seconds(5)
        /// The time without a message for the subscriber, after which the subscription is checked.
        var check = Duration.seconds(60)
        var connect = Duration.seconds(25)
        /// The time for the end of a connection.
        var disconnect = Duration.seconds(10)
        var services = Duration.seconds(30)
        /// The time for a read or a subscription. A later answer could be taken for that of the next operation, so the
        /// connection is closed then.
        var operation = Duration.seconds(5)
        var pairing = Duration.seconds(30)
        /// The time for the acknowledgment of a write, after which no further operation is accepted.
        var stall = Duration.seconds(1)
        /// The time for the acknowledgment of a write, after which the connection is closed.
        var acknowledgment = Duration.seconds(2)
        /// The pause after a device has reported that it is busy or congested.
        var pause = Duration.milliseconds(50)
        /// The number of attempts while a device is busy.
        var attempts = 3
        /// The number of operations of a device that wait.
        var operations = 32
        /// The number of attributes of a device.
        var attributes = 4096
        /// The time between two sessions: the first time, the longest, and the time if a user has to change something.
        var firstRetry = Duration.seconds(1)
        var longestRetry = Duration.seconds(60)
        var slowRetry = Duration.seconds(300)
        /// The duration of a session after which the next retry is the first again.
        var steady = Duration.seconds(30)

        package init() {}
    }
}
