import BridgeContract
import BridgeParts
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
        for isSet in machine.takeLatches() {
            spawn { session in
                let failure = await session.world.latches.keep(
                    isSet ? .latched : .clear, of: session.address)
                session.latchKept(isSet, failure)
            }
        }
    }

    private func latchKept(_ isSet: Bool, _ failure: String?) {
        if !isSet, failure == nil { world.changed(.latch(.clear)) }
        feed(.latchKept(isSet, failure: failure))
    }

    // MARK: Recalling

    /// The topic of which the stored message is awaited.
    var awaitedTopic: String? { publisher.isRecalling ? publisher.recalledTopic : nil }

    /// Asks the broker for what is in store of the state that reports an emergency stop.
    func beginRecall() {
        guard let topic = publisher.beginRecall() else { return }
        world.broker.subscribe([TopicFilter(topic, qos: 0)])
        feed(.recalling(true))
        awaitRecall()
    }

    /// Counts the time in which stored messages arrive, if the broker is there.
    func awaitRecall() {
        guard publisher.isRecalling, publisher.hasBroker else { return clock.cancel(.recall) }
        startTimer(.recall, at: now + Self.recallTime)
    }

    /// A message arrived on the topic of one of the device's reports.
    func heard(report feature: String, _ payload: [UInt8]) {
        if let value = publisher.recalled(feature, payload) { feed(.recalled(feature: feature, value)) }
    }

    /// All that was in store has arrived, if an echo proves it, or if the time for it is over.
    func finishRecall(isTimeOver: Bool) {
        guard isTimeOver || gate?.hasStore == true, let topic = publisher.endRecall() else { return }
        clock.cancel(.recall)
        world.broker.unsubscribe([topic])
        feed(.recalling(false))
        send(publisher.publishRecalled())
    }

    /// Stops listening, because the name is another one from now on or the session ends.
    func leaveRecall() {
        if let awaitedTopic { world.broker.unsubscribe([awaitedTopic]) }
    }

    /// Listens under the new name.
    func moveRecall() {
        guard let awaitedTopic else { return }
        world.broker.subscribe([TopicFilter(awaitedTopic, qos: 0)])
        awaitRecall()
    }
}
