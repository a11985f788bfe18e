package import DeviceKit
import Haptics
import JSON

// What a state machine cannot know of a haptic command: the files of patterns, and the calendar.
extension CommandDesk {
    /// How far ahead a pattern may be told to begin: a start together, not a timetable.
    private static let horizon = Duration.seconds(10)
    /// How late a command for a moment may come and still be carried out at once.
    private static let grace = Duration.seconds(1)

    /// The arguments as the state machine takes them.
    package func resolve(
        _ request: CommandRequest, _ arguments: Arguments, now: Duration, date: TimeStamp
    ) throws(CommandError) -> Arguments {
        guard request.feature == Feature.hapticName else { return arguments }
        var delay: Duration?
        if let at = arguments.text("at").flatMap(TimeStamp.init) {
            delay = try self.delay(until: at, date: date)
        } else if let start = request.start {
            delay = max(.zero, start - now - latency.value)
        }
        do {
            return Arguments(try Order.arguments(arguments.values, resolving: patterns, delay: delay))
        } catch {
            throw CommandError(
                CommandError.Code(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
        }
    }

    /// How long to wait so that the first write arrives at the moment.
    private func delay(until at: TimeStamp, date: TimeStamp) throws(CommandError) -> Duration {
        let ahead = Duration.milliseconds(at.milliseconds - date.milliseconds)
        guard ahead >= .zero - Self.grace else {
            throw CommandError(.expired, "at: \(at) is over; it is \(date)")
        }
        guard ahead <= Self.horizon else {
            throw CommandError(.outOfRange, "at: at most 10 s ahead, got \(at); it is \(date)")
        }
        return max(.zero, ahead - latency.value)
    }
}
