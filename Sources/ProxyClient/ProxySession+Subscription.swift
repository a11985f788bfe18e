import Bluetooth
import ESPHome

extension ProxySession {
    enum Subscription: Hashable, Sendable {
        case none
        /// It was requested. Without an answer by this time, another client is the subscriber.
        case requested(until: Duration)
        /// Without a message by this time, it is checked.
        case active(until: Duration)
        /// A request was sent whose answer only the subscriber receives.
        case checked(until: Duration)
        /// Another client is the subscriber. Nil if only a user may subscribe again.
        case lost(retry: Duration?)

        var deadline: Duration? {
            switch self {
            case .none: nil
            case .requested(let time), .active(let time), .checked(let time): time
            case .lost(let retry): retry
            }
        }

        var isActive: Bool {
            switch self {
            case .active, .checked: true
            case .none, .requested, .lost: false
            }
        }
    }

    /// The times between attempts to subscribe, as in Home Assistant's client (`scanner.py` of bleak-esphome).
    private static let retries: [Duration] = [.seconds(10), .seconds(30), .seconds(60)]

    /// An address that no device has.
    static let nobody = Address(number: 1)

    /// Subscribes, and replaces another subscriber if the firmware allows it.
    package mutating func subscribe(at time: Duration) -> [Output] {
        guard pass(to: time), phase == .running else { return [] }
        switch subscription {
        case .none, .lost: subscribe()
        case .requested, .active, .checked: break
        }
        return takeOutputs()
    }

    /// Whether a newer subscriber replaces an older one, without a message, as from 2026.7. An unknown version may be
    /// newer.
    var newestWins: Bool {
        let numbers = info.version.split(separator: ".").prefix(2).compactMap { Int($0) }
        return numbers.count < 2 || (numbers[0], numbers[1]) >= (2026, 7)
    }

    mutating func subscribe() {
        send(.subscribe(Subscribe(flags: 1)))
        // Firmware without this function does not answer a subscription.
        if !info.proxyFeatures.contains(.scannerState) { sendCheck() }
        subscription = .requested(until: now + limits.subscription)
    }

    /// Reads from a device that is not connected: only the subscriber receives the error.
    private mutating func sendCheck() { send(.read(Attribute(address: Self.nobody, handle: 1))) }

    mutating func confirmSubscription() {
        let wasActive = subscription.isActive
        subscription = .active(until: now + limits.check)
        guard !wasActive else { return }
        refusals = 0
        report(.subscription(.active))
    }

    mutating func subscriptionDue() {
        switch subscription {
        case .none: break
        case .lost: subscribe()
        case .active:
            sendCheck()
            subscription = .checked(until: now + limits.subscription)
        case .checked:
            // Where the first subscriber stays, nobody has replaced it: the proxy has lost it.
            if newestWins { displace() } else { end(.silent) }
        case .requested:
            if refusals == 0 { report(.subscription(.refused)) }
            subscription = .lost(retry: now + Self.retries[min(refusals, Self.retries.count - 1)])
            refusals += 1
        }
    }

    /// Releases the devices, whose answers another client now receives. The proxy still accepts requests.
    mutating func displace() {
        subscription = .lost(retry: nil)
        report(.subscription(.displaced))
        for address in links.keys.sorted() { cancel(address, .unavailable) }
    }
}

extension Message {
    /// Whether a proxy sends the message only to the subscriber.
    var isForSubscriber: Bool {
        switch self {
        case .advertisements, .scannerState, .connection, .pairing, .unpairing, .cacheCleared,
            .parametersReply, .services, .servicesDone, .readReply, .writeReply, .notifyReply, .notification,
            .failure:
            true
        default: false
        }
    }
}
