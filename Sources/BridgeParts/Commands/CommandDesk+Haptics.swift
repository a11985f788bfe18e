import BridgeContract
package import DeviceKit
import Haptics
import JSON

// What a state machine cannot resolve in a haptic command: the names of pattern files, and dates.
extension CommandDesk {
    /// The maximum delay of a pattern's start. The delay lets several devices start at the same moment; it is not meant
    /// for scheduling.
    private static let horizon = Duration.seconds(10)
    /// How late a command with the date `at` may arrive. A command that is late by less is executed immediately.
    private static let grace = Duration.seconds(1)

    /// Returns the arguments in the form that the state machine expects.
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
            return Arguments(
                try Order.arguments(
                    arguments.values, resolving: patterns, delay: delay, isMixed: mixing == .add))
        } catch {
            throw CommandError(
                CommandError.Code(rawValue: error.code.rawValue) ?? .invalidValue, error.description)
        }
    }

    /// Returns the delay of the first write, so that the write reaches the device at the given moment.
    private func delay(until at: TimeStamp, date: TimeStamp) throws(CommandError) -> Duration {
        let ahead = Duration.milliseconds(at.milliseconds - date.milliseconds)
        guard ahead >= .zero - Self.grace else {
            throw CommandError(.expired, "at: \(at) is in the past; this host's clock shows \(date)")
        }
        guard ahead <= Self.horizon else {
            throw CommandError(
                .outOfRange, "at: at most 10 s ahead, got \(at); this host's clock shows \(date)")
        }
        return max(.zero, ahead - latency.value)
    }
}
