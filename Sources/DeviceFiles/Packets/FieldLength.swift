/// The length, in bytes, of a text or of bytes that are published as text.
package enum FieldLength: Hashable, Sendable {
    case fixed(Int)
    /// The length is the number in the earlier item with this index; with a mask, the number in these bits of the item.
    case item(Int, mask: UInt64? = nil)
    /// The length is the number of remaining bytes, without the bytes of later items.
    case remainder

    /// The length, if it is the same in every packet.
    var fixed: Int? { if case .fixed(let count) = self { count } else { nil } }
}

extension PacketFormat {
    /// Returns the length, in bytes, of the item at an index.
    func count(
        _ length: FieldLength, of index: Int, left: Int, _ raws: [Int128?], _ name: String?
    ) throws(PacketMisfit) -> Int {
        switch length {
        case .fixed(let count): return count
        case .remainder: return max(0, left - tail(behind: index))
        case .item(let place, let mask):
            guard let raw = raws[place], let number = UInt64(exactly: raw) else {
                throw PacketMisfit(name, "the packet does not contain its length")
            }
            return Int(clamping: mask.map { (number & $0) >> UInt64($0.trailingZeroBitCount) } ?? number)
        }
    }
}
