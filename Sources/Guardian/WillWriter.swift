import BlueZ
import Bluetooth
package import BridgeContract
package import DBus
import DeviceKit
import EventLoop
package import Logging

/// Carries out the writes of a will over the bus, without knowledge of the device's protocol.
///
/// The writes of a round are sent at once and in order, and the loop, the bus and bluetoothd preserve this order. No
/// write waits for the answer to another write.
package struct WillWriter: Sendable {
    /// The time limit for an answer of bluetoothd, which takes seconds for a device that has disappeared.
    private static let answerTime = Duration.seconds(2)
    private static let disconnectTime = Duration.seconds(5)

    let connection: Connection
    package let logger: Logger

    package init(connection: Connection, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    /// The time after which the link is closed if writes fail, for a device that stops when it loses its link. Used
    /// after the bridge's death; the time is longer while the bridge may continue and use the link.
    static let linkTime = Duration.milliseconds(300)
    static let linkTimeOfLivingBridge = Duration.seconds(2)

    /// Carries an execution out to its end.
    ///
    /// - Parameters:
    ///   - will: The will of the writes.
    ///   - linkTime: The time after which the link is closed if writes fail, for a device that stops when it loses its
    ///     link.
    ///   - isWanted: Called before each step with the current state of the execution.
    /// - Returns: The result; nil if `isWanted` returned false.
    package func carryOut(
        _ execution: WillExecution, of will: LinkWill, linkTime: Duration = Self.linkTime,
        while isWanted: (WillExecution) async -> Bool
    ) async -> WillExecution.Outcome? {
        await withTaskExecutorPreference(connection.loop) {
            await withTaskGroup(of: Void.self) { group in
                if will.stopsWithoutLink, !will.isShared {
                    group.addTask {
                        let isLate: Void? = try? await connection.loop.sleep(until: EventLoop.now + linkTime)
                        guard isLate != nil else { return }
                        logger.warning(
                            "writes to the device fail: the guardian disconnects the device, which stops it",
                            metadata: ["device": "\(will.device)"])
                        await closeLink(of: will)
                    }
                }
                let outcome = await carryOut(execution, while: isWanted)
                group.cancelAll()
                return outcome
            }
        }
    }

    private func carryOut(
        _ execution: WillExecution, while isWanted: (WillExecution) async -> Bool
    ) async -> WillExecution.Outcome? {
        var execution = execution
        while await isWanted(execution) {
            switch execution.next(at: EventLoop.now) {
            case .write(let range):
                let replies = await replies(execution.writes[range]) { await write($0) }
                execution.written(replies, at: EventLoop.now)
            case .read(let indices):
                let replies = await replies(indices.map { execution.writes[$0] }) { await read($0) }
                execution.read(replies, at: EventLoop.now)
            case .wait(let moment): try? await connection.loop.sleep(until: moment)
            case .done(let outcome): return outcome
            }
        }
        return nil
    }

    /// Closes a device's link; returns after the link is closed, or after a time limit.
    ///
    /// A link that the host itself uses too stays open: after `Disconnect`, bluetoothd would not connect a keyboard
    /// automatically again.
    package func closeLink(of will: LinkWill) async {
        guard !will.isShared else { return }
        let result = await call("Disconnect", of: Names.device, at: will.device, limit: Self.disconnectTime)
        guard case .failure(let error) = result, !error.isOfAbsence, !Task.isCancelled else { return }
        logger.warning("the device could not be disconnected", metadata: ["reason": "\(error)"])
    }

    private func replies(
        _ writes: some Sequence<LinkWill.Write>,
        _ action: @escaping @Sendable (LinkWill.Write) async -> WillExecution.Reply
    ) async -> [WillExecution.Reply] {
        await withTaskExecutorPreference(connection.loop) {
            await withTaskGroup(of: (Int, WillExecution.Reply).self) { group in
                var count = 0
                for write in writes {
                    let index = count
                    group.addTask { (index, await action(write)) }
                    count += 1
                }
                var replies = [WillExecution.Reply](repeating: .refused("no answer"), count: count)
                for await (index, reply) in group { replies[index] = reply }
                return replies
            }
        }
    }

    private func write(_ write: LinkWill.Write) async -> WillExecution.Reply {
        let kind = write.kind == .withResponse ? "request" : "command"
        let result = await call(
            "WriteValue", of: Names.characteristic, at: write.path,
            [.bytes(write.value), .properties(["type": .string(kind)])], limit: Self.answerTime)
        switch result {
        case .success: return .done
        case .failure(let error): return .init(error)
        }
    }

    private func read(_ write: LinkWill.Write) async -> WillExecution.Reply {
        let result = await call(
            "ReadValue", of: Names.characteristic, at: write.path, [.properties([:])], limit: Self.answerTime)
        switch result {
        case .success(let arguments): return .value(arguments.first?.bytes ?? [])
        case .failure(let error): return .init(error)
        }
    }

    private func call(
        _ member: String, of interface: String, at path: String, _ arguments: [Value] = [], limit: Duration
    ) async -> Result<[Value], BlueZError> {
        do {
            var message = Message(
                call: member, of: interface, at: try ObjectPath(path), on: Names.service, arguments)
            message.startsService = false
            return .success(try await connection.call(message, timeout: limit).arguments)
        } catch let error as DBusError {
            return .failure(BlueZError(error, member, on: path))
        } catch {
            return .failure(BlueZError(.failed, member, on: path, "\(error)"))
        }
    }
}

extension WillExecution.Reply {
    /// Translates an error of BlueZ into the reply that ``WillExecution`` uses to decide about the next attempt.
    init(_ error: BlueZError) {
        switch error.code {
        case _ where error.isOfAbsence: self = .absent
        case .notSupported, .invalidLength, .accessDenied: self = .impossible("\(error)")
        default: self = .refused("\(error)")
        }
    }
}

extension BlueZError {
    /// Whether the error means that the device has no link, so there is nothing to make safe.
    fileprivate var isOfAbsence: Bool {
        [.notConnected, .unknownDevice, .serviceAway, .adapterOff, .noAdapter].contains(code)
    }
}
