package import BridgeContract
package import DeviceKit

/// Knows the requests to the bridge, and takes so many of them a second.
package struct RequestDesk: Sendable {
    private var features: [Feature] = []
    private var commands: [String: Command] = [:]
    private var limit = RateLimit(perSecond: 50, burst: 300)
    /// Whether it was said that commands are compared with a clock that is not synchronised.
    private var hasWarnedOfClock = false

    /// - Parameter features: The requests, declared as a device declares its commands.
    package init(_ features: [Feature]) { use(features) }

    /// Takes other declarations: the families that a request may name have changed.
    package mutating func use(_ features: [Feature]) {
        self.features = features
        commands = Dictionary(features.compactMap { feature in feature.command.map { (feature.name, $0) } }) {
            first, _ in first
        }
    }

    /// Takes a request, and finds what it may say.
    package mutating func take(
        _ name: String, at now: Duration
    ) throws(CommandError) -> (request: BridgeFeatures.Request, command: Command) {
        guard let request = BridgeFeatures.Request(rawValue: name), let command = commands[name] else {
            throw CommandError.unknown(.unknownFeature, name, among: features.map(\.name))
        }
        guard limit.take(at: now) else {
            throw CommandError(.rateLimited, "at most \(limit.perSecond) requests a second are taken")
        }
        return (request, command)
    }

    /// Whether to warn of the clock: once in the bridge's life.
    package mutating func warnsOfClock() -> Bool {
        defer { hasWarnedOfClock = true }
        return !hasWarnedOfClock
    }
}
