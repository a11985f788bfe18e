import DeviceKit
import JSON
import Messages

// The device's emergency stop: kept by the store, and recalled from the broker when the device is taken up.
extension DeviceSession {
    /// How long stored messages may take after they were asked for, where no echo tells that all have arrived.
    private static let recallTime = Duration.seconds(5)

    // MARK: Keeping

    /// Has the store keep what the state machine wanted kept; its writes are on their way.
    func keepLatches() {
        for isSet in unkeptLatches {
            spawn { session in
                let failure = await session.world.latches.keep(
                    isSet ? .latched : .clear, of: session.address)
                session.latchKept(isSet, failure)
            }
        }
        unkeptLatches = []
    }

    private func latchKept(_ isSet: Bool, _ failure: String?) {
        if !isSet, failure == nil { world.changed(.latch(.clear)) }
        feed(.latchKept(isSet, failure: failure))
    }

    // MARK: Recalling

    /// The topic that may hold an emergency stop at the broker.
    var recalledTopic: String? { family.latching.map { world.topics.report(name, $0.report) } }

    /// Asks the broker for what is in store of the state that reports an emergency stop. Until it has arrived this
    /// bridge does not publish that state: it would overwrite what it asks for.
    func beginRecall() {
        guard let recalledTopic, !isRecalling else { return }
        isRecalling = true
        world.broker.subscribe([TopicFilter(recalledTopic, qos: 0)])
        feed(.recalling(true))
        awaitRecall()
    }

    /// Counts the time in which stored messages arrive, if the broker is there.
    func awaitRecall() {
        guard isRecalling, hasBroker else { return timers.cancel(.recall) }
        startTimer(.recall, at: now + Self.recallTime)
    }

    /// A message arrived on the topic of one of the device's reports.
    func heard(report feature: String, _ payload: [UInt8]) {
        guard isRecalling, feature == family.latching?.report, payload.count <= CommandGate.maximumPayload,
            let value = try? JSON.Value(parsing: payload)
        else { return }
        feed(.recalled(feature: feature, value))
    }

    /// All that was in store has arrived, if an echo proves it, or if the time for it is over.
    func finishRecall(isTimeOver: Bool) {
        guard isRecalling, isTimeOver || gate?.hasStore == true, let recalledTopic,
            let feature = family.latching?.report
        else { return }
        timers.cancel(.recall)
        isRecalling = false
        world.broker.unsubscribe([recalledTopic])
        feed(.recalling(false))
        publishAgain(feature)
    }

    /// Stops listening, because the name is another one from now on or the session ends.
    func leaveRecall() {
        guard isRecalling, let recalledTopic else { return }
        world.broker.unsubscribe([recalledTopic])
    }

    /// Listens under the new name.
    func moveRecall() {
        guard isRecalling, let recalledTopic else { return }
        world.broker.subscribe([TopicFilter(recalledTopic, qos: 0)])
        awaitRecall()
    }
}
