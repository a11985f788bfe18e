import Bluetooth
import DBus
import EventLoop

/// A call of bluetoothd for a link, with its tries; belongs to the loop's thread.
final class LinkCall {
    let member: String
    let request: CallRequest
    let link: LinkState
    let characteristic: CharacteristicID
    /// When it is given up; it is not tried again after that.
    let deadline: Duration
    /// Asked before each try.
    let isWanted: @Sendable () -> Bool
    /// Told once; nil from then on.
    var ending: Ending?
    /// Whether `InProgress` is waited out.
    var mayRetry = true
    /// The number of a write without response, which gives way to a newer one instead of following it.
    var command: UInt64?
    /// Whose task waits for it; nil if none does.
    var token: UInt64?
    /// Waits for the next try.
    var pause: LoopTimer?

    /// Who is told of its end.
    enum Ending {
        /// The caller of an operation that has no value.
        case operation(OperationHandler)
        /// What goes on with the answer.
        case answer(CallHandler)

        func tell(_ result: Result<[Value], BlueZError>) {
            switch self {
            case .operation(let handler): handler(result.map { _ in [] })
            case .answer(let handler): handler(result)
            }
        }
    }

    init(
        _ member: String, _ request: CallRequest, _ link: LinkState, _ characteristic: CharacteristicID,
        deadline: Duration, while isWanted: @escaping @Sendable () -> Bool,
        then ending: Ending
    ) {
        self.member = member
        self.request = request
        self.link = link
        self.characteristic = characteristic
        self.deadline = deadline
        self.isWanted = isWanted
        self.ending = ending
    }

    var subject: String { "\(link.address) \(characteristic)" }

    /// Whether it may be tried once more.
    var isWantedAgain: Bool {
        if let command, link.commands[characteristic] != command { return false }
        return isWanted()
    }
}
