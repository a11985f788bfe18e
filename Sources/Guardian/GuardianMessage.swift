import Bluetooth
package import BridgeContract
import DeviceKit

/// A message of the bridge to its guardian, one line each; the file of wills contains the same lines.
///
/// `keep <device> <urgent|plain>[-shared][-linked] <deadline> <write>… [/ <write>…]` is a will: the writes that make a
/// device safe (``LinkWill``). A will is `shared` if the host itself uses the link too, and `linked` if the device
/// stops when it loses its link. The deadline is in nanoseconds or `-`. The writes before the slash are made after the
/// bridge's death. The writes after the slash are made when the deadline has passed. Each write is
/// `request:<path>:<hex>` or `command:<path>:<hex>`, with `+read` after its first word if only reading the value back
/// confirms the write.
///
/// `carry-out …` has the same form, and is carried out immediately. The other messages are `release <device>`,
/// `claim <name> <sign>`, `unclaim <name>`, `ping <number>` and `goodbye`. Object paths contain no spaces and no
/// colons.
package enum GuardianMessage: Hashable, Sendable {
    /// A device's will, which replaces an earlier will of the device.
    case keep(LinkWill)
    /// A device's will to carry out now.
    case carryOut(LinkWill)
    /// The device needs no further action.
    case release(device: String)
    /// The bridge owns an adapter's name: the guardian has to queue for that name, and to own the additional name that
    /// identifies the guardian.
    case claim(name: String, sign: String)
    /// The bridge no longer owns an adapter's name, or does not own it yet: the guardian has to leave the queue for the
    /// name.
    case unclaim(name: String)
    /// A ping, which checks whether the guardian is running.
    case ping(UInt64)
    /// The bridge exits cleanly. Only devices that it has handed over with `carry-out` need further action.
    case goodbye

    private static let shared = "shared"
    private static let linked = "linked"

    /// The message as text, without its line break.
    var text: String {
        switch self {
        case .keep(let will): "keep \(Self.text(will))"
        case .carryOut(let will): "carry-out \(Self.text(will))"
        case .release(let device): "release \(device)"
        case .claim(let name, let sign): "claim \(name) \(sign)"
        case .unclaim(let name): "unclaim \(name)"
        case .ping(let number): "ping \(number)"
        case .goodbye: "goodbye"
        }
    }

    private static func text(_ will: LinkWill) -> String {
        let deadline = will.deadline.map { "\($0.nanoseconds)" } ?? "-"
        let kind =
            [will.isSafetyCritical ? "urgent" : "plain"] + (will.isShared ? [shared] : [])
            + (will.stopsWithoutLink ? [linked] : [])
        let head = [will.device, kind.joined(separator: "-"), deadline]
        return (head + will.writes.map(\.text) + ["/"] + will.deadlineWrites.map(\.text))
            .joined(separator: " ")
    }

    /// The message as sent, with its line break.
    var line: [UInt8] { Array(text.utf8) + [0x0A] }

    /// Parses a line without its line break; nil if it is not a message.
    init?(_ line: some StringProtocol) {
        let words = line.split { $0 == " " }.map { String($0) }
        switch words.first {
        case "goodbye" where words.count == 1: self = .goodbye
        case "release" where words.count == 2: self = .release(device: words[1])
        case "claim" where words.count == 3: self = .claim(name: words[1], sign: words[2])
        case "unclaim" where words.count == 2: self = .unclaim(name: words[1])
        case "ping" where words.count == 2:
            guard let number = UInt64(words[1]) else { return nil }
            self = .ping(number)
        case "keep":
            guard let will = Self.will(words) else { return nil }
            self = .keep(will)
        case "carry-out":
            guard let will = Self.will(words) else { return nil }
            self = .carryOut(will)
        default: return nil
        }
    }

    private static func will(_ words: [String]) -> LinkWill? {
        guard words.count >= 5 else { return nil }
        let kind = words[2].split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
        guard kind[0] == "urgent" || kind[0] == "plain",
            kind.dropFirst().allSatisfy({ $0 == shared || $0 == linked }),
            let slash = words.firstIndex(of: "/"), slash >= 4,
            words[3] == "-" || Int64(words[3]) != nil
        else { return nil }
        let writes = words[4..<slash].compactMap { LinkWill.Write($0) }
        let deadlineWrites = words[(slash + 1)...].compactMap { LinkWill.Write($0) }
        guard writes.count + deadlineWrites.count == words.count - 5 else { return nil }
        return LinkWill(
            device: words[1], isSafetyCritical: kind[0] == "urgent", isShared: kind.contains(shared),
            stopsWithoutLink: kind.contains(linked), writes: writes,
            deadline: Int64(words[3]).map { .nanoseconds($0) }, deadlineWrites: deadlineWrites)
    }
}

extension LinkWill.Write {
    private static let readBack = "+read"

    fileprivate var text: String {
        let kind = (kind == .withResponse ? "request" : "command") + (isReadBack ? Self.readBack : "")
        return "\(kind):\(path):\(Hex.string(value))"
    }

    fileprivate init?(_ word: String) {
        let parts = word.split(omittingEmptySubsequences: false) { $0 == ":" }
        guard parts.count == 3, parts[1].hasPrefix("/"), let value = Hex.bytes(String(parts[2])) else {
            return nil
        }
        let isReadBack = parts[0].hasSuffix(Self.readBack)
        let kind = isReadBack ? parts[0].dropLast(Self.readBack.count) : parts[0]
        guard kind == "request" || kind == "command" else { return nil }
        self.init(
            path: String(parts[1]), value: value, kind: kind == "request" ? .withResponse : .withoutResponse,
            isReadBack: isReadBack)
    }
}

extension Duration {
    /// The duration in whole nanoseconds, rounded down.
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
