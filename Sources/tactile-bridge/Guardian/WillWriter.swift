import BlueZ
import BridgeCore
import DBus
import DeviceKit
import EventLoop
import Logging

/// Carries out writes over the bus without knowing anything of the devices.
///
/// All writes go out at once and in their order, which the loop, the bus and bluetoothd keep; none waits for the
/// answer to another. One that bluetoothd refuses for the moment is tried again by itself.
struct WillWriter: Sendable {
    /// How long a write is tried again while bluetoothd says that something else is under way.
    static let retryTime = Duration.milliseconds(300)
    private static let pause = Duration.milliseconds(10)
    /// How long bluetoothd may take for the answer to a write; a device that went away takes seconds.
    private static let answerTime = Duration.seconds(2)
    private static let disconnectTime = Duration.seconds(5)

    let connection: Connection
    let logger: Logger

    /// Sends all writes; returns when each is done or given up.
    ///
    /// - Parameter isWanted: Whether a write that was refused is still to be tried again.
    func carryOut(
        _ writes: [LinkWill.Write], while isWanted: @escaping @Sendable () async -> Bool = { true }
    ) async {
        let end = EventLoop.now + Self.retryTime
        await withTaskExecutorPreference(connection.loop) {
            await withDiscardingTaskGroup { group in
                for write in writes { group.addTask { await send(write, until: end, isWanted) } }
            }
        }
    }

    /// Closes the links of devices, all at the same time; returns when they are closed or that took too long.
    ///
    /// Those that the system uses too stay: after `Disconnect`, bluetoothd would not connect a keyboard by itself
    /// any more.
    func closeLinks(of wills: [LinkWill]) async {
        let devices = wills.filter { !$0.isShared }.map(\.device)
        await withTaskExecutorPreference(connection.loop) {
            await withDiscardingTaskGroup { group in
                for device in devices {
                    group.addTask {
                        note(
                            await call("Disconnect", of: Names.device, at: device, limit: Self.disconnectTime)
                        )
                    }
                }
            }
        }
    }

    private func send(
        _ write: LinkWill.Write, until end: Duration, _ isWanted: @Sendable () async -> Bool
    ) async {
        let kind = write.kind == .withResponse ? "request" : "command"
        while true {
            let error = await call(
                "WriteValue", of: Names.characteristic, at: write.path,
                [.bytes(write.value), .properties(["type": .string(kind)])], limit: Self.answerTime)
            guard let error, error.isPassing, EventLoop.now + Self.pause < end, await isWanted() else {
                return note(error)
            }
            try? await connection.loop.sleep(until: EventLoop.now + Self.pause)
        }
    }

    private func call(
        _ member: String, of interface: String, at path: String, _ arguments: [Value] = [], limit: Duration
    ) async -> BlueZError? {
        do {
            var message = Message(
                call: member, of: interface, at: try ObjectPath(path), on: Names.service, arguments)
            message.startsService = false
            _ = try await connection.call(message, timeout: limit)
            return nil
        } catch let error as DBusError {
            return BlueZError(error, member, on: path)
        } catch {
            return BlueZError(.failed, member, on: path, "\(error)")
        }
    }

    /// Says what could not be done; a device that is not there any more needs nothing.
    private func note(_ error: BlueZError?) {
        guard let error, !error.isOfAbsence else { return }
        logger.warning("could not be done", metadata: ["error": "\(error)"])
    }
}

extension BlueZError {
    /// Whether it may be over in a moment.
    fileprivate var isPassing: Bool { code == .inProgress || code == .notPermitted }

    /// Whether it says that there is no link to be made safe.
    fileprivate var isOfAbsence: Bool {
        [.notConnected, .unknownDevice, .serviceAway, .adapterOff, .noAdapter].contains(code)
    }
}
