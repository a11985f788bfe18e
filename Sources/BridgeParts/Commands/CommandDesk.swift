package import Claims
package import DeviceKit
package import Haptics

/// Takes the commands for one device: decides which is carried out, waits or is refused, and keeps those that are not
/// answered yet.
package struct CommandDesk {
    /// What to do with a command now.
    package enum Step {
        /// Let it pass through ``CommandDesk/admit(_:_:offline:)``, and carry it out.
        case execute(CommandRequest)
        case refuse(PendingCommand, CommandError)
        /// Leave it, with its answer, to another bridge.
        case leave(CommandRequest)
    }

    /// The patterns that can be played by name.
    package var patterns: Library
    package let family: any DeviceFamily
    package let features: FeatureTable
    /// Whether a stop arrives twice.
    private let isHazardous: Bool
    private var waiting = WaitingCommands()
    private var copies = StopCopies()
    /// When the newest stop of the whole device arrived: what arrived before it is not carried out any more.
    package var stopArrival: Duration?
    /// Whether the bridge was late and has not caught up: what arrives may have waited for long.
    package private(set) var isQuarantined = false
    package private(set) var latency = LatencyMeter()
    package var open = OpenCommands()
    package var absorbed = AbsorbedStops()
    /// Neither stops count nor commands of which only the newest counts.
    package var rateLimit = RateLimit(perSecond: 200, burst: 500)

    package init(family: any DeviceFamily, features: FeatureTable, patterns: Library, isHazardous: Bool) {
        self.family = family
        self.features = features
        self.patterns = patterns
        self.isHazardous = isHazardous
    }

    // MARK: Arrival

    /// The request with the command of its feature.
    package func found(_ request: CommandRequest) -> CommandRequest {
        guard request.entry == nil else { return request }
        var request = request
        request.entry = features.command(request.feature)
        return request
    }

    /// Takes a command that arrived on one of the device's topics.
    ///
    /// - Parameters:
    ///   - name: The device's name, for the message of a refusal.
    ///   - isReady: Whether the device can be used: then it is stopped whichever bridge speaks for it.
    ///   - isFinished: Whether the session is over, so that it does not learn any more which bridge speaks.
    /// - Returns: What to do with it; nil if it waits until it is known which bridge speaks for the device.
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
            request.isSpokenForElsewhere = ownership.isSilent && !ownership.isNameShared
            return .execute(request)
        }
        guard ownership.isUnknown else { return .leave(request) }
        return waiting.add(request, isStop: isSafe).map { .leave($0) }
    }

    /// Takes all that waited until it was known which bridge speaks for the device.
    package mutating func takeWaiting(isOurs: Bool) -> [Step] {
        let surplus = waiting.takeSurplus()
        let entries = waiting.take()
        guard isOurs else { return surplus.map { .leave($0.request) } + entries.map { .leave($0.request) } }
        let busy = CommandError(.busy, "\(WaitingCommands.capacity) commands waited already")
        return surplus.map { .refuse($0, busy) }
            + entries.map { entry in
                entry.isVoid && !entry.request.isStop && !isOff(entry.request)
                    ? refuse(entry.request, Self.dropped) : .execute(entry.request)
            }
    }

    /// Takes all that waits, to refuse it: it is not found out any more which bridge speaks for the device.
    package mutating func refuseWaiting(_ error: CommandError) -> [Step] {
        waiting.takeSurplus().map { .refuse($0, error) } + waiting.take().map { refuse($0.request, error) }
    }

    // MARK: Stops and stalls

    /// Makes void what arrived before a moment and is not carried out yet.
    package mutating func voidAll(before moment: Duration) {
        stopArrival = max(stopArrival ?? moment, moment)
        waiting.stopped()
    }

    /// Makes void what arrived so far, and refuses what arrives until the bridge has caught up.
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
            ownership.nameRival.map { "\($0.address) at the bridge \($0.claim.bridge)" } ?? "another device"
        return "two connected devices are named \(name): \(ownership.address) here and \(other); "
            + "both obey stops only until one is given another name in its configuration"
    }

    private func refuse(_ request: CommandRequest, _ error: CommandError) -> Step {
        .refuse(PendingCommand(refused: request), error)
    }

    // MARK: Answers

    /// The commands that the state machine works on, the oldest first.
    package var openIDs: [CommandID] { open.ids }

    /// Takes a command to answer it; nil if it was answered before.
    package mutating func close(_ id: CommandID) -> PendingCommand? { open.close(id) }

    /// Takes the stops that get the answer of one that was answered.
    package mutating func closeAbsorbed(_ id: CommandID) -> [PendingCommand] { absorbed.end(id) }

    /// Wants the commands looked at when the oldest of them has waited for too long.
    ///
    /// - Returns: When to look; nil if that is arranged, or nothing waits.
    package mutating func nextReview() -> Duration? { open.nextReview() }

    /// The time has come to look at the commands.
    ///
    /// - Returns: Those that have waited for too long, the oldest first.
    package mutating func review(at now: Duration) -> [CommandID] { open.review(at: now) }

    /// Takes a measurement of how long a write took, by which a start together is timed.
    package mutating func measured(write time: Duration) { latency.add(time) }
}
