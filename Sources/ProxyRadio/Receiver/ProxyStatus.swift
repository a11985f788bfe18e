import Bluetooth
import ESPHome
import ProxyClient

/// The known state of a proxy, and whether it can be used. Pure.
struct ProxyStatus: Hashable, Sendable {
    /// Whether the proxy can be used.
    enum State: Hashable, Sendable {
        case ready
        /// Another client has the proxy.
        case held
        case away
    }

    /// The description of the proxy; nil without a session.
    private(set) var info: DeviceInfo?
    /// The connection slots; nil while they are unknown.
    private(set) var slots: Slots?
    /// The reason why there is no session; nil before the first failure, and during a session.
    private(set) var failure: ProxySession.Failure?
    private(set) var scanner: ScannerState?
    private var subscription: ProxySession.SubscriptionState?
    /// The bridge that uses the proxy and to which it is left; nil if there is none, or none is known.
    private(set) var holder: String?

    /// Whether this client can use devices.
    var isSubscriber: Bool { subscription == .active }

    /// Whether the scanner has failed. Connections may continue.
    var hasScannerFailed: Bool { scanner?.state == 3 }

    var state: State {
        switch subscription {
        case .active: hasScannerFailed ? .away : .ready
        case .refused, .displaced: .held
        case .withheld: holder == nil ? .away : .held
        case nil: .away
        }
    }

    /// How the proxy is shared with other bridges; nil without a session, or if another program refuses to share it.
    var sharing: RadioDescription.Adapter.Sharing? {
        switch subscription {
        case .active: .used
        case .withheld: .waiting
        case .displaced: holder == nil ? .displaced : .waiting
        case .refused, nil: nil
        }
    }

    /// Whether the proxy can connect to devices, and not only receive advertisements.
    var canConnect: Bool { info?.proxyFeatures.isSuperset(of: [.connect, .remoteCache]) ?? false }

    /// The number of further devices that can be connected; nil while the proxy is not ready.
    var freeSlots: Int? {
        guard state == .ready else { return nil }
        return canConnect ? slots.map { Int($0.free) } : 0
    }

    /// The address of the proxy's radio; nil if unknown.
    var address: Address? { info.flatMap { Address($0.bluetoothMAC) ?? Address($0.mac) } }

    /// Applies an event of the session.
    mutating func handle(_ event: ProxySession.Event) {
        switch event {
        case .identified(let info): self = ProxyStatus(info: info)
        case .subscription(let state): (subscription, holder) = (state, nil)
        case .scanner(let state): scanner = state
        case .slots(let slots): self.slots = slots
        default: break
        }
    }

    /// Leaves the proxy to another bridge, unless this bridge uses it.
    mutating func leave(to bridge: String) {
        if [.waiting, .displaced].contains(sharing) { holder = bridge }
    }

    /// Records that the proxy has refused a connection because it has no slot. The next report of the slots follows.
    mutating func isFull() { slots?.free = 0 }

    /// Records the end of the session.
    mutating func ended(_ failure: ProxySession.Failure) { self = ProxyStatus(failure: failure) }

    /// Creates the status before the first session.
    init(info: DeviceInfo? = nil, failure: ProxySession.Failure? = nil) {
        (self.info, self.failure) = (info, failure)
    }
}

extension ProxyStatus {
    /// Why the proxy cannot be used, and what to do; nil if it can be used.
    ///
    /// - Parameters:
    ///   - place: The host and the port, for users.
    ///   - mac: The configured address of the node; nil for any.
    ///   - cause: The system's last error of the TCP connection; nil if there was none.
    func problem(at place: String, mac: Address?, cause: String?) -> String? {
        if let holder {
            return
                "the bridge \(holder) uses the proxy: this bridge takes over when that bridge no longer uses it"
        }
        switch (subscription, failure) {
        case (.active, _):
            return hasScannerFailed ? "the scanner of the proxy has failed: restart the proxy" : nil
        case (.displaced, _):
            return
                "another client, such as Home Assistant, has replaced this bridge: give the proxy to one program "
                + "only, then restart this bridge"
        case (.refused, _):
            return
                "another client, such as Home Assistant, uses the proxy: remove the proxy there; this bridge then "
                + "uses it automatically"
        case (.withheld, _):
            return
                "it is not known yet whether another bridge uses the proxy: check the connection to the broker"
        case (nil, let failure?): return failure.problem(at: place, mac: mac, cause: cause)
        case (nil, nil):
            return info == nil ? "not connected to \(place) yet" : "the proxy has not answered yet"
        }
    }
}

extension ProxySession.Failure {
    func problem(at place: String, mac: Address?, cause: String?) -> String {
        switch self {
        case .unreachable:
            "no TCP connection to \(place) (\(cause ?? "no answer")): check that the proxy has power and Wi-Fi, and "
                + "that the host in bluetooth.proxies is correct"
        case .lost: "the connection to \(place) was lost (\(cause ?? "closed")); the bridge connects again"
        case .noPlace:
            "the proxy closes each connection at once, because all its client places are taken: close other clients, "
                + "such as log viewers"
        case .silent: "the proxy does not answer: check its Wi-Fi signal and its power supply"
        case .announced: "the proxy restarts; the bridge connects again"
        case .transport(let error): error.problem
        case .undecodable(let type, _):
            "the proxy has sent an invalid message (type \(type)); the bridge connects again"
        case .version(let major): "the proxy's API version \(major) is not supported: update the bridge"
        case .features:
            "the node cannot forward advertisements: update its firmware, and add bluetooth_proxy to its ESPHome "
                + "configuration"
        case .otherNode(let found):
            "\(place) is another node, with the address \(found)\(mac.map { " instead of \($0)" } ?? ""): correct "
                + "host or mac in bluetooth.proxies"
        case .wrongPassword:
            "the proxy requires a password, which is not supported: replace it with an encryption key in its ESPHome "
                + "configuration"
        case .stopped: "the bridge has stopped"
        }
    }
}

extension TransportError {
    fileprivate var problem: String {
        switch code {
        case .wrongKey:
            "the key is wrong: copy it from api, encryption, key of the proxy's ESPHome configuration to "
                + "bluetooth.proxies"
        case .encryptionRequired:
            "the proxy requires a key: copy it from api, encryption, key of the proxy's ESPHome configuration to "
                + "bluetooth.proxies"
        case .noEncryption:
            "the proxy has no encryption: add a key to its ESPHome configuration, or set plain: true in "
                + "bluetooth.proxies"
        case .refused: "the proxy refuses the connection (\(message))"
        case .invalidFrame: "the proxy has sent invalid data (\(message)); the bridge connects again"
        }
    }
}
