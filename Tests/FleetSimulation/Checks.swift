/// The promises, and how long each has been broken.
package struct Checks: Sendable {
    /// A promise.
    package enum Promise: String, CaseIterable, Sendable {
        /// Two bridges never own one device for longer than a second. Message delays do not count, and neither does
        /// the second that a device has to answer over a link that may be dead.
        case twoSpeakers = "two speakers"
        /// Some bridge owns each known device within five seconds. Message delays and the keep-alive do not count.
        case mute
        /// A bridge with a working link is never standby.
        case silentLink = "silent on a link"
        /// No motion and no power without a command since the hand-over.
        case motion
        /// No task is resumed that is older than ten seconds.
        case intent
        /// No device moves while it is used.
        case movedInUse = "moved in use"
        /// A device moves only to a host whose offer, at most 60 s old, shows that it receives the device better by the
        /// margin than the host with the link. In the meantime the person may have walked on.
        case noBetter = "moved to no better host"
        /// No device moves more often than allowed, whichever bridges move it, unless bridges restart.
        case flapping
        /// A device moves within three minutes if another host receives it much better and it is idle and may move.
        case neglected
    }

    /// A broken promise.
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
    /// How long the promises about owners were checked, and how much of that without messages in transit, in
    /// microseconds.
    package internal(set) var watched = 0
    package internal(set) var calm = 0
    /// The longest times that a device had two owners, or none, in microseconds. Messages in transit are ignored.
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
