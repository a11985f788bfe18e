import Bluetooth
import BridgeParts
import DeviceKit
import JSON
import Logging
import Messages

// The log of a device: at `debug` its commands, its states and the stages of its Bluetooth connection; at `trace` also
// streams and each value of a characteristic. Typed input is logged at `trace` only, and only if the configuration
// allows it.
extension DeviceSession {
    func logEnd(of command: PendingCommand, _ answer: Answer, after elapsed: Duration) {
        let request = command.request
        func metadata() -> Logger.Metadata {
            let isPrivate = features[request.feature]?.isPrivate ?? false
            return [
                "feature": "\(request.feature.excerpt)", "answer": "\(answer.summary)",
                "elapsed_ms": "\(elapsed.milliseconds)",
                "payload": isPrivate ? "…" : "\(request.payload.excerpt)",
            ]
        }
        guard case .failed(let error) = answer else {
            return logger.debug(
                "command succeeded", metadata: metadata(), source: LogSubsystem.commands.rawValue)
        }
        let (level, unsaid) = failures.take(error.code, at: now)
        logger.log(
            level: level, "command failed", metadata: metadata().adding(unsaid: unsaid),
            source: LogSubsystem.commands.rawValue)
    }

    /// Logs a message that was published on one of the device's topics.
    func logSaid(_ publication: Publisher.Publication) {
        let message = publication.message
        let isStream = message.policy == .stream
        // Only logged messages are converted to text, since streams publish up to 100 messages a second.
        func metadata() -> Logger.Metadata {
            let isHidden = publication.isPrivate && !context.logsTyping()
            return [
                "topic": "\(message.topic)", "payload": isHidden ? "…" : "\(message.payload.excerpt)",
            ]
        }
        logger.log(
            level: publication.isPrivate || isStream ? .trace : .debug, "message published",
            metadata: metadata(), source: LogSubsystem.topics.rawValue)
    }

    /// Logs a value that is sent or received over the Bluetooth connection, or an operation without a value.
    func logValue(_ what: Logger.Message, _ characteristic: CharacteristicID, _ value: [UInt8]? = nil) {
        // Privacy is checked only for logged values, since up to 100 notifications arrive a second.
        func metadata() -> Logger.Metadata {
            guard let value else { return ["characteristic": "\(characteristic)"] }
            let isHidden = family.privateCharacteristics.contains(characteristic) && !context.logsTyping()
            return ["characteristic": "\(characteristic)", "value": isHidden ? "…" : "\(Hex.string(value))"]
        }
        logger.trace(what, metadata: metadata(), source: LogSubsystem.values.rawValue)
    }

    /// Logs an operation that is about to be sent.
    func logStart(of operation: LinkOperation) {
        switch operation {
        case .write(let write): logValue("write", write.characteristic, write.value)
        case .read(let characteristic): logValue("read", characteristic)
        case .subscribe(let characteristic): logValue("subscribe", characteristic)
        case .unsubscribe(let characteristic): logValue("unsubscribe", characteristic)
        }
    }

    /// Logs the result of an operation: the value of a read, or an error.
    func logEnd(of operation: LinkOperation, _ result: Result<[UInt8], OperationError>) {
        switch (operation, result) {
        case (.read(let characteristic), .success(let value)): logValue("value", characteristic, value)
        case (_, .success): break
        case (_, .failure(let error)):
            logger.debug(
                "a Bluetooth operation failed",
                metadata: ["characteristic": "\(operation.characteristic)", "reason": "\(error)"],
                source: LogSubsystem.values.rawValue)
        }
    }
}

extension LinkOperation {
    fileprivate var characteristic: CharacteristicID {
        switch self {
        case .write(let write): write.characteristic
        case .read(let characteristic), .subscribe(let characteristic), .unsubscribe(let characteristic):
            characteristic
        }
    }
}

extension Answer {
    /// The answer as one line: `ok`, or the error code and message.
    var summary: String {
        switch self {
        case .ok(let details):
            details.isEmpty ? "ok" : "ok \(JSON.Value.object(details))"
        case .failed(let error): "\(error)".excerpt
        }
    }
}
