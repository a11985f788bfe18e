/// A message of the guardian to the bridge, one line each: `ready`, `on-bus`, `pong <number>`, `no-bus <number>`,
/// `confirmed <device>`, `unconfirmed <device>`, `finished <device>`, `queued <name>`, `left <name>`.
package enum GuardianReply: Hashable, Sendable {
    /// No guardian of an earlier bridge is running.
    case ready
    /// The guardian is connected to the bus, over which it can write.
    case onBus
    /// The guardian has read all messages up to the ping with this number, and the bus has answered after that.
    case pong(UInt64)
    /// The bus is unreachable, so the guardian cannot write. The number is that of the ping that this message answers,
    /// or 0 if it answers none.
    case noBus(UInt64)
    /// The guardian has ended a motion, and the device is at rest.
    case confirmed(device: String)
    /// The guardian tried to end a motion, and does not know whether the device is at rest.
    case unconfirmed(device: String)
    /// The work on a device that was handed over has ended: the device is at rest, has no link, or could not be made
    /// safe.
    case finished(device: String)
    /// The guardian is in the queue for an adapter's name, and gets the name when the bridge loses it.
    case queued(name: String)
    /// The guardian has left the queue for a name, and does not own it.
    case left(name: String)

    /// The message as text, without its line break.
    var text: String {
        switch self {
        case .ready: "ready"
        case .onBus: "on-bus"
        case .pong(let number): "pong \(number)"
        case .noBus(let number): "no-bus \(number)"
        case .confirmed(let device): "confirmed \(device)"
        case .unconfirmed(let device): "unconfirmed \(device)"
        case .finished(let device): "finished \(device)"
        case .queued(let name): "queued \(name)"
        case .left(let name): "left \(name)"
        }
    }

    /// The message as sent, with its line break.
    var line: [UInt8] { Array(text.utf8) + [0x0A] }

    /// Parses a line without its line break; nil if it is not a message.
    init?(_ line: some StringProtocol) {
        let words = line.split { $0 == " " }.map { String($0) }
        switch (words.first, words.count) {
        case ("ready", 1): self = .ready
        case ("on-bus", 1): self = .onBus
        case ("pong", 2), ("no-bus", 2):
            guard let number = UInt64(words[1]) else { return nil }
            self = words[0] == "pong" ? .pong(number) : .noBus(number)
        case ("confirmed", 2): self = .confirmed(device: words[1])
        case ("unconfirmed", 2): self = .unconfirmed(device: words[1])
        case ("finished", 2): self = .finished(device: words[1])
        case ("queued", 2): self = .queued(name: words[1])
        case ("left", 2): self = .left(name: words[1])
        default: return nil
        }
    }
}
