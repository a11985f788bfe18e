import Bluetooth
package import BridgeContract
import DeviceKit

/// What the bridge tells its guardian, one line each; the file of wills holds the same lines.
///
/// `keep <device> <urgent|plain>[-shared][-linked] <deadline> <write>… [/ <write>…]`: a will; shared where the system
/// uses the link too, linked where the device stops when it loses its link; the deadline in nanoseconds or `-`, the writes of a dead bridge, behind the slash those of the deadline, each `request:<path>:<hex>` or
/// `command:<path>:<hex>`, with `+read` behind its first word where only a read confirms it. `carry-out …`, the same:
/// a will that is carried out at once. `release <device>`, `claim <name> <sign>`, `unclaim <name>`, `ping <number>`,
/// `goodbye`. Object paths have no spaces and no colons.
package enum GuardianMessage: Hashable, Sendable {
    /// A device's will, in the place of an earlier one.
    case keep(LinkWill)
    /// A device's will that is to be carried out now.
    case carryOut(LinkWill)
    /// Nothing needs to be done for a device any more.
    case release(device: String)
    /// The bridge owns the name of an adapter: the guardian is to queue for it, and to tell by the sign who it is.
    case claim(name: String, sign: String)
    /// The bridge does not own the name of an adapter any more, or not yet: the guardian is to leave its queue.
    case unclaim(name: String)
    /// The bridge wants to know whether the guardian is there.
    case ping(UInt64)
    /// The bridge ends in good order: nothing needs to be done any more but for the devices that were handed over.
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

    /// The message as it is sent.
    var line: [UInt8] { Array(text.utf8) + [0x0A] }

    /// Reads a line without its break; nil if it is none of these.
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
    /// Whole nanoseconds, rounded down.
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
