package import BridgeContract
package import DeviceKit

/// The declarations of the requests to the bridge, and their rate limit.
package struct RequestDesk: Sendable {
    private var features: [Feature] = []
    private var commands: [String: Command] = [:]
    private var limit = RateLimit(perSecond: 50, burst: 300)
    /// Whether the bridge has warned that `expires` is compared with an unsynchronized clock.
    private var hasWarnedOfClock = false

    /// - Parameter features: The requests, declared like the commands of a device.
    package init(_ features: [Feature]) { use(features) }

    /// Replaces the declarations, because the families that a request may name have changed.
    package mutating func use(_ features: [Feature]) {
        self.features = features
        commands = Dictionary(features.compactMap { feature in feature.command.map { (feature.name, $0) } }) {
            first, _ in first
        }
    }

    /// Checks the name and the rate limit of a request, and returns the request with its declaration.
    package mutating func take(
        _ name: String, at now: Duration
    ) throws(CommandError) -> (request: BridgeFeatures.Request, command: Command) {
        guard let request = BridgeFeatures.Request(rawValue: name), let command = commands[name] else {
            throw CommandError.unknown(.unknownFeature, name, among: features.map(\.name))
        }
        guard limit.take(at: now) else {
            throw CommandError(.rateLimited, "at most \(limit.perSecond) requests a second are accepted")
        }
        return (request, command)
    }

    /// Whether to warn that the clock is not synchronized; true at most once per process.
    package mutating func warnsOfClock() -> Bool {
        defer { hasWarnedOfClock = true }
        return !hasWarnedOfClock
    }
}
