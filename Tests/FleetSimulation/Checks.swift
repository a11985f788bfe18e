/// What is promised, and since when it does not hold.
package struct Checks: Sendable {
    /// A promise.
    package enum Promise: String, CaseIterable, Sendable {
        /// Two bridges never speak for one device longer than a second, beyond the delay of messages and the second that
        /// a device has to answer over a link that may be dead.
        case twoSpeakers = "two speakers"
        /// Some bridge speaks for each known device within five seconds, beyond the delay of messages and keep-alive.
        case mute
        /// A bridge is never silent over a link that works.
        case silentLink = "silent on a link"
        /// Nothing moves, and no power goes on, without a command since the take-over.
        case motion
        /// No task is taken up that is older than ten seconds.
        case intent
    }

    /// A promise that was broken.
    package struct Violation: Sendable {
        package var promise: Promise
        package var seconds: Double
        package var text: String
    }

    static let interval = 100_000
    static let twoLimit = Int.seconds(1)
    static let muteLimit = Int.seconds(5)
    static let silentLimit = Int.seconds(1)

    package internal(set) var violations: [Violation] = []
    /// How long the promises about speakers were looked at, and how long of that no message was under way.
    package internal(set) var watched = 0
    package internal(set) var calm = 0
    /// The longest time that a device had two speakers, or none, whatever was under way.
    package internal(set) var longestTwo = 0
    package internal(set) var longestMute = 0

    var two: [Int]
    var mute: [Int]
    var grossTwo: [Int]
    var grossMute: [Int]
    var silent: [Int: Int] = [:]
    private var claimsUnderWay: [Int]
    private var othersUnderWay = 0

    init(devices: Int) {
        two = Array(repeating: 0, count: devices)
        mute = two
        grossTwo = two
        grossMute = two
        claimsUnderWay = two
    }

    mutating func depart(_ message: Message) { count(message, 1) }
    mutating func arrive(_ message: Message) { count(message, -1) }

    private mutating func count(_ message: Message, _ change: Int) {
        if let device = message.claimed { claimsUnderWay[device] += change }
        if message.isOfBridge { othersUnderWay += change }
    }

    func isCalm(_ device: Int) -> Bool { othersUnderWay == 0 && claimsUnderWay[device] == 0 }
}
