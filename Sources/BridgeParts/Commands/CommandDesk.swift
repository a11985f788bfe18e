package import BridgeContract
package import Claims
package import DeviceKit
package import Haptics

/// Accepts the commands for one device. It decides whether a command is executed, waits or is refused, and keeps the
/// unanswered commands.
package struct CommandDesk {
    /// What the session must do with a command.
    package enum Step {
        /// Pass the command to ``CommandDesk/admit(_:_:offline:)``, then execute it.
        case execute(CommandRequest)
        case refuse(PendingCommand, CommandError)
        /// Leave the command and its answer to another bridge.
        case leave(CommandRequest)
    }

    /// The patterns that can be played by name.
    package var patterns: Library
    /// What happens to the current pattern of a device when a command plays another pattern.
    package var mixing: BridgeSettings.PatternMixing
    package let family: any DeviceFamily
    package let features: FeatureTable
    /// Whether the bridge subscribes to the device's stops twice, at QoS 0 and at QoS 1.
    private let isHazardous: Bool
    private var waiting = WaitingCommands()
    private var copies = DuplicateStops()
    /// The arrival time of the newest stop of the whole device. Commands that arrived earlier are no longer executed.
    package var stopArrival: Duration?
    /// Whether the bridge was delayed and has not caught up. Arriving commands may be old.
    package private(set) var isQuarantined = false
    package private(set) var latency = LatencyMeter()
    package var open = OpenCommands()
    package var absorbed = AbsorbedStops()
    /// The rate limit of commands. It does not apply to stops, or to commands of which only the newest matters.
    package var rateLimit = RateLimit(perSecond: 200, burst: 500)

    package init(
        family: any DeviceFamily, features: FeatureTable, patterns: Library,
        mixing: BridgeSettings.PatternMixing = .add, isHazardous: Bool
    ) {
        self.family = family
        self.features = features
        self.patterns = patterns
        self.mixing = mixing
        self.isHazardous = isHazardous
    }

    // MARK: Arrival

    /// Returns the request with ``CommandRequest/entry`` set to the command that its feature declares.
    package func found(_ request: CommandRequest) -> CommandRequest {
        guard request.entry == nil else { return request }
        var request = request
        request.entry = features.command(request.feature)
        return request
    }

    /// Accepts a command from one of the device's topics.
    ///
    /// - Parameters:
    ///   - name: The device's name, for error messages.
    ///   - isReady: Whether the device is usable. A usable device is stopped whichever bridge owns its topics.
    ///   - isFinished: Whether the session is over, so that the owner of the topics can no longer become known.
    /// - Returns: The action to take; nil if the command waits until the owner of the device's topics is known.
    package mutating func receive(
        _ request: CommandRequest, _ ownership: TopicOwnership, name: String, isReady: Bool, isFinished: Bool
    ) -> Step? {
        var request = request
        let isStop = request.isStop
        if isStop, let entry = request.entry {
            if isHazardous || request.mayComeTwice, request.collector == nil {
                request.isCopy = copies.isCopy(request)
            }
            if CommandGate.isWholeStop(request, entry.command) { voidAll(before: request.arrival) }
        }
        let isSafe = isStop || isOff(request)
        if ownership.isNameShared, !isSafe {
            return refuse(request, CommandError(.nameShared, Self.sharedName(name, ownership)))
        }
        let isObeyed = isStop || ownership.isNameShared && isSafe
        if ownership.isOurs || isReady && isObeyed || isFinished && ownership.isUnknown {
            request.isSpokenForElsewhere = ownership.isStandby && !ownership.isNameShared
            return .execute(request)
        }
        guard ownership.isUnknown else { return .leave(request) }
        return waiting.add(request, isStop: isSafe).map { .leave($0) }
    }

    /// Removes the commands that waited for the owner of the device's topics, and decides what to do with each.
    package mutating func takeWaiting(isOurs: Bool) -> [Step] {
        let surplus = waiting.takeSurplus()
        let entries = waiting.take()
        guard isOurs else { return surplus.map { .leave($0.request) } + entries.map { .leave($0.request) } }
        let busy = CommandError(.busy, "\(WaitingCommands.capacity) commands were already waiting")
        return surplus.map { .refuse($0, busy) }
            + entries.map { entry in
                entry.isVoid && !entry.request.isStop && !isOff(entry.request)
                    ? refuse(entry.request, Self.dropped) : .execute(entry.request)
            }
    }

    /// Removes all waiting commands and refuses them. The owner of the device's topics will not become known.
    package mutating func refuseWaiting(_ error: CommandError) -> [Step] {
        waiting.takeSurplus().map { .refuse($0, error) } + waiting.take().map { refuse($0.request, error) }
    }

    // MARK: Stops and stalls

    /// Invalidates the commands that arrived before a moment and are not executed yet.
    package mutating func voidAll(before moment: Duration) {
        stopArrival = max(stopArrival ?? moment, moment)
        waiting.stopped()
    }

    /// Invalidates the commands that arrived so far, because the bridge was delayed, and refuses new commands until the
    /// bridge has caught up.
    package mutating func quarantine(at now: Duration) {
        voidAll(before: now)
        isQuarantined = true
    }

    package mutating func endQuarantine() { isQuarantined = false }

    private func isOff(_ request: CommandRequest) -> Bool {
        request.entry.flatMap { family.readOff(request, $0.command) } != nil
    }

    package static let dropped = CommandError(.deviceError, "dropped: a stop came after it")

    private static func sharedName(_ name: String, _ ownership: TopicOwnership) -> String {
        let other =
            ownership.nameRival.map { "\($0.address) on the bridge \($0.claim.bridge)" } ?? "another device"
        return "two connected devices are named \(name): \(ownership.address) here and \(other); "
            + "both accept only stops until you rename one in its configuration"
    }

    private func refuse(_ request: CommandRequest, _ error: CommandError) -> Step {
        .refuse(PendingCommand(refused: request), error)
    }

    // MARK: Answers

    /// The commands that the state machine executes, oldest first.
    package var openIDs: [CommandID] { open.ids }

    /// Removes and returns a command to be answered; nil if it was already answered.
    package mutating func close(_ id: CommandID) -> PendingCommand? { open.close(id) }

    /// Removes and returns the stops that share the answer of this command.
    package mutating func closeAbsorbed(_ id: CommandID) -> [PendingCommand] { absorbed.end(id) }

    /// Schedules a check for overdue commands.
    ///
    /// - Returns: When to call ``review(at:)``; nil if a call is scheduled, or no command is open.
    package mutating func nextReview() -> Duration? { open.nextReview() }

    /// Checks for overdue commands.
    ///
    /// - Returns: The overdue commands, oldest first.
    package mutating func review(at now: Duration) -> [CommandID] { open.review(at: now) }

    /// Records the duration of a write. It is used to synchronize the start of several devices.
    package mutating func measured(write time: Duration) { latency.add(time) }
}
