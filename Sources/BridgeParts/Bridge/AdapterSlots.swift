/// How many links each adapter of the host has, and how many it bears.
///
/// It bears what the configuration says, or what it has shown: an adapter that refused a link for want of room bears no
/// more than it had then. Others may have had links too at that time, so that this counts for a while only.
///
/// A robot that lost its link finds its place free for a while: another device must not keep the bridge from stopping it.
package final class AdapterSlots {
    /// What a session does with an adapter.
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
        /// How many links it had when it refused one, and until when that counts.
        var shown: (links: Int, end: Duration)?
        /// The places that are kept for devices which must be reached, by their numbers, and until when.
        var kept: [Int: Duration] = [:]
        /// The devices that wait for a place, the first one first.
        var waiting: [Int] = []
    }

    /// How long it counts that an adapter refused a link.
    package static let refusalTime = Duration.seconds(60)
    /// How long the place of a robot that lost its link is kept.
    package static let keepingTime = Duration.seconds(60)
    /// How many of those that wait are asked when a place is free: some may not be heard any more.
    private static let askedAtOnce = 8

    /// How many links an adapter bears, as the configuration says; nil where it says nothing.
    package var setting: Int? {
        didSet { if setting != oldValue { for name in adapters.keys { wake(name) } } }
    }
    private var adapters: [String: Adapter] = [:]
    private var uses: [Int: Use] = [:]
    /// The devices that wait, each on which adapter.
    private var waiters: [Int: (adapter: String, wake: () -> Void)] = [:]

    package init() {}

    // MARK: Asking

    /// How many links more an adapter bears, as a device sees it that has none; nil where that is not known.
    package func free(on name: String, for number: Int, at now: Duration) -> Int? {
        guard let limit = limit(of: name, at: now) else { return nil }
        guard let adapter = adapters[name] else { return limit }
        let own = uses[number]?.adapter == name ? 1 : 0
        let kept = adapter.kept.count { $0.key != number && $0.value > now }
        return max(0, limit - adapter.links - adapter.attempts + own - kept)
    }

    /// How many links more all of these adapters bear; nil where that is not known of each.
    package func free(on names: [String], at now: Duration) -> Int? {
        guard !names.isEmpty else { return nil }
        var sum = 0
        for name in names {
            guard let free = free(on: name, for: 0, at: now) else { return nil }
            sum += free
        }
        return sum
    }

    /// Whether an adapter makes a link for another device.
    package func isConnecting(on name: String, besides number: Int) -> Bool {
        let own = uses[number] == .connecting(name) ? 1 : 0
        return (adapters[name]?.attempts ?? 0) > own
    }

    /// How many links an adapter bears; nil where that is not known.
    package func limit(of name: String, at now: Duration) -> Int? {
        let shown = adapters[name]?.shown.flatMap { $0.end > now ? $0.links : nil }
        return [setting, shown].compactMap(\.self).min()
    }

    /// The adapters that bear no more links.
    package func full(at now: Duration) -> Set<String> {
        Set(adapters.keys.filter { free(on: $0, for: 0, at: now) == 0 })
    }

    // MARK: Changing

    /// A device begins to use an adapter, goes on in another way, or ends that.
    ///
    /// - Parameter isKept: Whether its place is kept for it, where that ends.
    /// - Returns: Whether that makes a difference.
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

    /// An adapter refused a link for want of room.
    package func refused(on name: String, at now: Duration) {
        let links = adapters[name]?.links ?? 0
        adapters[name, default: Adapter()].shown = (links, now + Self.refusalTime)
    }

    /// A device waits for a place on an adapter.
    ///
    /// - Parameter wake: Called once, when there is one perhaps; on the executor of the bridge.
    package func await(on name: String, _ number: Int, wake: @escaping () -> Void) {
        if waiters[number]?.adapter != name {
            withdraw(number)
            adapters[name, default: Adapter()].waiting.append(number)
        }
        waiters[number] = (name, wake)
    }

    /// A device is no more: nothing is kept for it.
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
