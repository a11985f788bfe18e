import Bluetooth
import BridgeCore
import DeviceKit

/// What the bridge tells its guardian, one line each; the file of wills holds the same lines.
///
/// `keep <device> <urgent|plain>[-shared] <deadline> <write>… [/ <write>…]`: a will; shared where the system uses
/// the link too; the deadline in nanoseconds or `-`,
/// the writes of a dead bridge, behind the slash those of the deadline, each `request:<path>:<hex>` or
/// `command:<path>:<hex>`. `release <device>`, `goodbye`. Object paths have no spaces and no colons.
enum GuardianMessage: Hashable, Sendable {
    /// A device's will, in the place of an earlier one.
    case keep(LinkWill)
    /// Nothing needs to be done for a device any more.
    case release(device: String)
    /// The bridge ends in good order: nothing needs to be done at all.
    case goodbye

    private static let shared = "-shared"

    /// The message as text, without its line break.
    var text: String {
        switch self {
        case .keep(let will):
            let deadline = will.deadline.map { "\($0.nanoseconds)" } ?? "-"
            let kind = (will.isUrgent ? "urgent" : "plain") + (will.isShared ? Self.shared : "")
            let head = ["keep", will.device, kind, deadline]
            return (head + will.writes.map(\.text) + ["/"] + will.deadlineWrites.map(\.text))
                .joined(separator: " ")
        case .release(let device): return "release \(device)"
        case .goodbye: return "goodbye"
        }
    }

    /// The message as it is sent.
    var line: [UInt8] { Array(text.utf8) + [0x0A] }

    /// Reads a line without its break; nil if it is none of these.
    init?(_ line: some StringProtocol) {
        let words = line.split { $0 == " " }.map { String($0) }
        switch words.first {
        case "goodbye" where words.count == 1: self = .goodbye
        case "release" where words.count == 2: self = .release(device: words[1])
        case "keep" where words.count >= 5:
            let isShared = words[2].hasSuffix(Self.shared)
            let kind = isShared ? words[2].dropLast(Self.shared.count) : words[2][...]
            guard kind == "urgent" || kind == "plain",
                let slash = words.firstIndex(of: "/"), slash >= 4,
                words[3] == "-" || Int64(words[3]) != nil
            else { return nil }
            let writes = words[4..<slash].compactMap { LinkWill.Write($0) }
            let deadlineWrites = words[(slash + 1)...].compactMap { LinkWill.Write($0) }
            guard writes.count + deadlineWrites.count == words.count - 5 else { return nil }
            self = .keep(
                LinkWill(
                    device: words[1], isUrgent: kind == "urgent", isShared: isShared, writes: writes,
                    deadline: Int64(words[3]).map { .nanoseconds($0) }, deadlineWrites: deadlineWrites))
        default: return nil
        }
    }
}

extension LinkWill.Write {
    fileprivate var text: String {
        "\(kind == .withResponse ? "request" : "command"):\(path):\(Hex.string(value))"
    }

    fileprivate init?(_ word: String) {
        let parts = word.split(omittingEmptySubsequences: false) { $0 == ":" }
        guard parts.count == 3, parts[0] == "request" || parts[0] == "command", parts[1].hasPrefix("/"),
            let value = Hex.bytes(String(parts[2]))
        else { return nil }
        self.init(
            path: String(parts[1]), value: value,
            kind: parts[0] == "request" ? .withResponse : .withoutResponse)
    }
}

extension Duration {
    /// Whole nanoseconds, rounded down.
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
