import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Messages

// Commands that a device gives: its feedback, the commands of its gestures to other devices, and the inputs of pairs.
extension Bridge {
    /// Passes a command to its device, which publishes the answer. A refusal is published on the topic `result` of
    /// the device that gives the command.
    func carryOut(_ command: DeviceCommand, of session: DeviceSession) {
        do throws(CommandError) {
            let target = try target(of: command, of: session)
            guard session.givenCommands.take(at: ports.time.now) else {
                throw CommandError(
                    .rateLimited,
                    "gestures send at most \(session.givenCommands.perSecond) commands a second")
            }
            target.take(
                CommandRequest(
                    IncomingMessage(
                        topic: topics.command(target.name, command.feature), payload: command.payload.bytes,
                        isRetained: false, arrival: ports.time.now), feature: command.feature))
        } catch {
            session.refuse(given: "action", error)
        }
    }

    /// Passes an input of gestures to the other device of a pair. A refusal is published like that of a command.
    func relay(_ input: String, to name: String, of session: DeviceSession) {
        do throws(CommandError) {
            guard let target = fleet.session(named: name), target !== session else {
                throw CommandError(
                    .unknownDevice,
                    "pair: \(name): allowed: another device that the same bridge has")
            }
            guard target.family.name == session.family.name else {
                throw CommandError(
                    .notSupported,
                    "pair: \(name) is a \(target.family.name); allowed: a \(session.family.name)")
            }
            guard target.isReady else {
                throw target.ownership.isStandby
                    ? CommandError(
                        .notSupported,
                        "pair: another bridge has \(name); allowed: a device that the same bridge has")
                    : CommandError(.deviceOffline, "pair: \(target.offlineMessage)")
            }
            target.feed(.relayed(input))
        } catch {
            session.refuse(given: "action", error)
        }
    }

    private func target(
        of command: DeviceCommand, of session: DeviceSession
    ) throws(CommandError) -> DeviceSession {
        let name = command.device ?? session.name
        let feature = "\(name)/\(command.feature)"
        guard command.device == nil || settings.gestureDevices.contains(name) else {
            let allowed = settings.gestureDevices.joined(separator: " ")
            throw CommandError(
                .notSupported,
                "\(feature): gestures may not send commands to this device; allowed in the setting "
                    + "gestures.devices: \(allowed.isEmpty ? "no device" : allowed)")
        }
        guard let target = fleet.session(named: name) else {
            throw CommandError(
                .unknownDevice,
                "\(feature): this bridge has no device with this name; allowed: a device that the same bridge has"
            )
        }
        guard target.gate == nil, !target.family.isHazardous else {
            throw CommandError(
                .notSupported, "\(feature): gestures never send commands to a hazardous device")
        }
        guard target.ownership.isOurs else {
            throw CommandError(
                .notSupported,
                "\(feature): another bridge has this device, or may have it; allowed: a device that the same bridge has"
            )
        }
        return target
    }
}
