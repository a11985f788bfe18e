import BridgeContract
package import DeviceKit
package import JSON
import Messages

/// Decides whether a command is passed to a device: size, retain flag, expiry, and declared arguments.
package enum CommandGate {
    /// The size of the largest payload that is parsed, in bytes.
    package static let maximumPayload = IncomingMessage.maximumPayload

    /// Parses a command by its declaration.
    ///
    /// - Parameters:
    ///   - clock: Decides whether a command's `expires` can be checked; nil if it always can.
    ///   - stop: The device's stop command, which the error suggests if the sender tried to switch something off and
    ///     the command does not accept that.
    /// - Throws: ``CommandError``, but never for a stop. A stop is obeyed whatever its payload.
    package static func admit(
        _ request: CommandRequest, _ command: Command, now: Duration, date: TimeStamp,
        clock: ExpiryClock? = nil, stop: String? = nil
    ) throws(CommandError) -> Invocation {
        do {
            return try check(request, command, now: now, date: date, clock: clock, stop: stop)
        } catch {
            guard command.traits.contains(.stop) else { throw error }
            return readStop(request, command)
        }
    }

    /// Whether a command stops everything that its device does, and not only a part.
    package static func isWholeStop(_ request: CommandRequest, _ command: Command) -> Bool {
        guard command.traits.contains(.stop) else { return false }
        return command.fields.isEmpty || readStop(request, command).arguments == wholeStop(command)
    }

    /// The arguments of a stop. An invalid payload means a stop of the whole device.
    private static func readStop(_ request: CommandRequest, _ command: Command) -> Invocation {
        if !request.isTooLarge, let invocation = try? command.parse(request.payload) {
            return invocation
        }
        return Invocation(arguments: wholeStop(command), id: id(of: request))
    }

    private static func wholeStop(_ command: Command) -> Arguments {
        let whole = (try? command.parse([])) ?? (try? command.parse(command.example.bytes))
        return whole?.arguments ?? [:]
    }

    /// The sender's `id` in a refused command, if it can be read.
    package static func id(of request: CommandRequest) -> JSON.Value? {
        guard !request.isTooLarge else { return nil }
        return (try? JSON.Value(parsing: request.payload, maximumDepth: 16))?["id"]
    }

    /// Refuses a payload that is too large to be parsed.
    static func checkSize(_ request: CommandRequest) throws(CommandError) {
        guard !request.isTooLarge else {
            throw CommandError(
                .invalidPayload, "\(request.payloadSize) bytes; allowed: at most \(maximumPayload)")
        }
    }

    private static func parse(
        _ request: CommandRequest, _ command: Command, stop: String?
    ) throws(CommandError) -> Invocation {
        do { return try command.parse(request.payload) } catch {
            if let stop, Command.meansOff(request.payload) { throw error.showing(stop, for: request) }
            throw error.showing(command, on: request.topic)
        }
    }

    private static func check(
        _ request: CommandRequest, _ command: Command, now: Duration, date: TimeStamp,
        clock: ExpiryClock?, stop: String?
    ) throws(CommandError) -> Invocation {
        guard !request.isRetained else {
            throw CommandError(
                .retainedCommand,
                "a retained command would be carried out again at every start: send it without the retain flag"
            )
        }
        if let topic = request.refusedResponseTopic {
            guard topic.utf8.count <= ResponseTopics.sizeLimit else {
                throw CommandError(
                    .invalidValue,
                    "Response Topic of \(topic.utf8.count) bytes; allowed: at most \(ResponseTopics.sizeLimit) bytes"
                )
            }
            throw CommandError(
                .invalidValue,
                "Response Topic \(topic.excerpt): the bridge and its devices use this topic; allowed: any "
                    + "other topic, such as reply/NAME/1")
        }
        if let end = request.validUntil, now > end {
            throw CommandError(
                .expired, "the message expiry of the command ran out before the bridge could carry it out")
        }
        try checkSize(request)
        let invocation = try parse(request, command, stop: stop)
        guard let end = invocation.expires else { return invocation }
        if let error = clock?.refusal(of: command) { throw error }
        if date > end {
            throw CommandError(.expired, "expires: \(end) is in the past; this host's clock shows \(date)")
        }
        return invocation
    }
}
