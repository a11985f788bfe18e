extension String {
    /// Decodes the text of a characteristic: UTF-8 without padding at the end; nil for an empty text.
    public init?(padded bytes: [UInt8]) {
        guard let last = bytes.lastIndex(where: { $0 != 0 && $0 != 0x20 }) else { return nil }
        self.init(decoding: bytes[...last], as: UTF8.self)
    }
}
