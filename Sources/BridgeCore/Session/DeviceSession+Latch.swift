import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Messages

// The device's emergency stop. It is stored on this host's disk and retained on the broker. When the session starts,
// the bridge also recalls it: the bridge reads the retained message that reports the emergency stop.
extension DeviceSession {
    /// How long the retained emergency stop may take to arrive after the subscription, if no echo shows that all
    /// retained messages have arrived.
    private static let recallTime = Duration.seconds(5)

    // MARK: Keeping

    /// Stores the changes of the emergency stop that the state machine requested. Called after the machine's writes
    /// have started.
    func keepLatches() {
        for isSet in machine.takeLatches() {
            spawn { session in
                let failure = await session.context.latches.keep(
                    isSet ? .latched : .clear, of: session.address)
                session.latchKept(isSet, failure)
            }
        }
    }

    private func latchKept(_ isSet: Bool, _ failure: String?) {
        if !isSet, failure == nil { context.changed(.latch(.clear)) }
        feed(.latchKept(isSet, failure: failure))
    }

    // MARK: Recalling

    /// The topic of the retained emergency stop that the bridge waits for; nil if it waits for none.
    var awaitedTopic: String? { publisher.isRecalling ? publisher.recalledTopic : nil }

    /// Subscribes to the state that reports an emergency stop, to receive its retained message.
    func beginRecall() {
        guard let topic = publisher.beginRecall() else { return }
        context.broker.subscribe([TopicFilter(topic, qos: 0)])
        feed(.recalling(true))
        awaitRecall()
    }

    /// Starts the timeout for the retained emergency stop, if the broker is connected.
    func awaitRecall() {
        guard publisher.isRecalling, publisher.hasBroker else { return clock.cancel(.recall) }
        startTimer(.recall, at: now + Self.recallTime)
    }

    /// Handles a message on the topic of one of the device's reports, which may be the retained emergency stop.
    func heard(report feature: String, _ payload: [UInt8]) {
        if let value = publisher.recalled(feature, payload) { feed(.recalled(feature: feature, value)) }
    }

    /// Ends the wait for the retained emergency stop: an echo proves that all retained messages have arrived, or the
    /// time is over.
    func finishRecall(isTimeOver: Bool) {
        guard isTimeOver || gate?.hasStore == true, let topic = publisher.endRecall() else { return }
        clock.cancel(.recall)
        context.broker.unsubscribe([topic])
        feed(.recalling(false))
        send(publisher.publishRecalled())
    }

    /// Unsubscribes from the topic of the retained emergency stop, because the device is about to be renamed or the
    /// session ends.
    func leaveRecall() {
        if let awaitedTopic { context.broker.unsubscribe([awaitedTopic]) }
    }

    /// Subscribes to the topic of the retained emergency stop under the device's new name.
    func moveRecall() {
        guard let awaitedTopic else { return }
        context.broker.subscribe([TopicFilter(awaitedTopic, qos: 0)])
        awaitRecall()
    }
}
