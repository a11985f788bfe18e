// Creates the answers to commands that the gate refuses.
extension MotionGate {
    /// How long the first echo on a new broker connection can take before an answer reports that no echo comes back.
    private static let firstEchoTime = Duration.seconds(2)

    func refusal(_ block: Block, at now: Duration) -> CommandError {
        switch block {
        case .subscription:
            let topics = missing?.joined(separator: ", ") ?? "of its stops"
            return CommandError(
                .subscription,
                "a stop could not arrive: the broker has not granted the subscription \(topics)")
        case .path: return CommandError(.path, pathComplaint(at: now))
        case .guardian:
            return CommandError(
                .noGuardian,
                "no guardian watches over this device, so nothing would stop it if the bridge died; the bridge "
                    + "starts another guardian; if that fails, the bridge's log contains the reason")
        case .stopped:
            guard let stop = hold.active else { return CommandError(.stopped, "a stop arrived") }
            let quiet = Self.milliseconds(stop.quiet)
            // An emergency stop switches the power off, so the sender must switch it on again.
            guard stop.cause != .emergencyStop else {
                return CommandError(
                    .stop(stop.cause),
                    "a stop arrived (emergency_stop): send no motion command for \(quiet) ms, then send power/set on"
                )
            }
            return CommandError(
                .stop(stop.cause),
                (stop.cause == .start
                    ? "the bridge has just started" : "a stop arrived (\(stop.cause.rawValue))")
                    + ": release the stick. The device moves again after "
                    + "\(quiet) ms without a motion command; a sender that continues "
                    + "keeps it stopped")
        }
    }

    private func pathComplaint(at now: Duration) -> String {
        if let newest = path.newest {
            return "messages from the broker are delayed: the newest echo that came back was sent "
                + "\(Self.milliseconds(now - newest)) ms ago; at most \(Self.milliseconds(limits.maxPathDelay)) "
                + "ms are allowed"
        }
        guard let connected = path.connected, now - connected > Self.firstEchoTime else {
            return "the delay from the broker is not measured yet: try again in a moment"
        }
        return
            "no echo has come back on \(echoTopic): allow the bridge to publish and read it in the broker's "
            + "access list (topic readwrite \(echoTopic)), and drivers to read it (topic read \(echoTopic)); "
            + "tactile-bridge acl prints both"
    }

    static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}
