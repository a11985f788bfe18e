import Bluetooth

/// Counts the Bluetooth links of each adapter of the host, and tracks how many links each adapter supports. A slot is
/// room for one link.
///
/// The limit of an adapter is the configured number, or the number of links that the adapter had when it refused
/// another link. Other programs may have had links at that time too, so an observed limit expires. A proxy reports its
/// limit itself.
///
/// The slot of a robot that lost its link is reserved for ``keepingTime``, so that the bridge can reconnect to the
/// robot and stop it.
package final class AdapterSlots {
    /// How a device's session uses an adapter. The associated value is the adapter's name.
    package enum Use: Hashable {
        case connecting(String)
        case linked(String)

        package var adapter: String {
            switch self {
            case .connecting(let name), .linked(let name): name
            }
        }
    }

    private struct Adapter {
        var links = 0
        var attempts = 0
        /// The number of links the adapter had when it refused another link, and the time at which this observed limit
        /// expires.
        var shown: (links: Int, end: Duration)?
        /// The reserved slots: the session number of each robot, and the time at which its reservation expires.
        var kept: [Int: Duration] = [:]
        /// The sessions that wait for a slot, in order of arrival.
        var waiting: [Int] = []
    }

    /// How long a limit is valid that was observed when the adapter refused a link.
    package static let refusalTime = Duration.seconds(60)
    /// How long the slot of a robot that lost its link is reserved.
    package static let keepingTime = Duration.seconds(60)
    /// The number of waiting sessions that are notified when a slot is free. One session is not enough, since its
    /// device may be out of range.
    private static let askedAtOnce = 8

    /// The configured number of links per adapter; nil if it is not configured.
    package var setting: Int? {
        didSet { if setting != oldValue { for name in adapters.keys { wake(name) } } }
    }
    /// The limits that proxies report, by adapter name.
    package var proxyLimits: [String: Int] = [:] {
        didSet { for name in proxyLimits.keys where proxyLimits[name] != oldValue[name] { wake(name) } }
    }
    private var adapters: [String: Adapter] = [:]
    private var uses: [Int: Use] = [:]
    /// The waiting sessions by number, each with its adapter and the function that notifies it.
    private var waiters: [Int: (adapter: String, wake: () -> Void)] = [:]

    package init() {}

    // MARK: Queries

    /// The number of free slots of an adapter for a device without a link; nil if the limit is unknown.
    package func free(on name: String, for number: Int, at now: Duration) -> Int? {
        guard let limit = limit(of: name, at: now) else { return nil }
        guard let adapter = adapters[name] else { return limit }
        let own = uses[number]?.adapter == name ? 1 : 0
        let kept = adapter.kept.count { $0.key != number && $0.value > now }
        return max(0, limit - adapter.links - adapter.attempts + own - kept)
    }

    /// The number of free slots of all these adapters; nil if the limit of one of the adapters is unknown.
    package func free(on names: [String], at now: Duration) -> Int? {
        guard !names.isEmpty else { return nil }
        var sum = 0
        for name in names {
            guard let free = free(on: name, for: 0, at: now) else { return nil }
            sum += free
        }
        return sum
    }

    /// Whether a session other than this one is connecting to its device over the adapter.
    package func isConnecting(on name: String, besides number: Int) -> Bool {
        let own = uses[number] == .connecting(name) ? 1 : 0
        return (adapters[name]?.attempts ?? 0) > own
    }

    /// The number of links that an adapter supports; nil if it is unknown.
    package func limit(of name: String, at now: Duration) -> Int? {
        let shown = adapters[name]?.shown.flatMap { $0.end > now ? $0.links : nil }
        let known = AdapterName.isProxy(name) ? proxyLimits[name] : setting
        return [known, shown].compactMap(\.self).min()
    }

    package func full(at now: Duration) -> Set<String> {
        Set(adapters.keys.filter { free(on: $0, for: 0, at: now) == 0 })
    }

    // MARK: Changes

    /// Sets how a device uses an adapter. The use is nil when the device no longer uses any adapter.
    ///
    /// - Parameter isKept: Whether the slot of the link is reserved for the device when the use ends.
    /// - Returns: Whether the use changed.
    @discardableResult
    package func set(_ use: Use?, of number: Int, isKept: Bool = false, at now: Duration) -> Bool {
        let before = uses[number]
        guard before != use else { return false }
        uses[number] = use
        if let before { count(before, -1) }
        if let use {
            count(use, 1)
            withdraw(number)
            adapters[use.adapter]?.kept[number] = nil
        }
        if let before, before.adapter != use?.adapter {
            if isKept, use == nil, case .linked(let name) = before {
                adapters[name]?.kept[number] = now + Self.keepingTime
            }
            wake(before.adapter)
        }
        return true
    }

    /// Records that an adapter refused a link for lack of slots. The number of its links becomes its observed limit.
    package func refused(on name: String, at now: Duration) {
        let links = adapters[name]?.links ?? 0
        adapters[name, default: Adapter()].shown = (links, now + Self.refusalTime)
    }

    /// Queues a device for a slot on an adapter.
    ///
    /// - Parameter wake: Called once, on the bridge's executor, when a slot may be free.
    package func await(on name: String, _ number: Int, wake: @escaping () -> Void) {
        if waiters[number]?.adapter != name {
            withdraw(number)
            adapters[name, default: Adapter()].waiting.append(number)
        }
        waiters[number] = (name, wake)
    }

    /// Removes a device with its use, its reservations and its place in the queue.
    package func forget(_ number: Int, at now: Duration) {
        set(nil, of: number, at: now)
        withdraw(number)
        for name in adapters.keys {
            if adapters[name]?.kept.removeValue(forKey: number) != nil { wake(name) }
        }
    }

    private func count(_ use: Use, _ step: Int) {
        switch use {
        case .connecting(let name): adapters[name, default: Adapter()].attempts += step
        case .linked(let name): adapters[name, default: Adapter()].links += step
        }
    }

    private func withdraw(_ number: Int) {
        guard let name = waiters.removeValue(forKey: number)?.adapter else { return }
        adapters[name]?.waiting.removeAll { $0 == number }
    }

    private func wake(_ name: String) {
        let asked = (adapters[name]?.waiting ?? []).prefix(Self.askedAtOnce)
        adapters[name]?.waiting.removeFirst(asked.count)
        for number in asked { waiters.removeValue(forKey: number)?.wake() }
    }
}
