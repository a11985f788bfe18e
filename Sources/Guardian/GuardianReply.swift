/// What the guardian tells the bridge, one line each: `ready`, `on-bus`, `pong <number>`, `no-bus <number>`,
/// `confirmed <device>`, `unconfirmed <device>`, `finished <device>`, `queued <name>`, `left <name>`.
package enum GuardianReply: Hashable, Sendable {
    /// No guardian of an earlier bridge is left.
    case ready
    /// It has a connection to the bus, over which it can write.
    case onBus
    /// It has read everything up to the ping of this number, and the bus has answered it since.
    case pong(UInt64)
    /// It cannot write, since the bus cannot be reached: the answer to the ping of this number; 0 for no ping.
    case noBus(UInt64)
    /// A motion was ended, and the device is at rest.
    case confirmed(device: String)
    /// It is not known that a device is at rest.
    case unconfirmed(device: String)
    /// A device that was handed over is at rest, has no link any more, or is given up.
    case finished(device: String)
    /// It gets the name of an adapter when the bridge loses it.
    case queued(name: String)
    /// It does not stand in the queue for a name any more, and has not got it.
    case left(name: String)

    /// The reply as text, without its line break.
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

    /// The reply as it is sent.
    var line: [UInt8] { Array(text.utf8) + [0x0A] }

    /// Reads a line without its break; nil if it is none of these.
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
