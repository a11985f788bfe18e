package import Logging

extension String {
    /// The start of a third-party text for the log; at most 200 characters.
    package var excerpt: String { utf8.count <= 200 ? self : prefix(200) + "…" }
}

extension [UInt8] {
    /// The start of a payload for the log; at most 200 bytes.
    package var excerpt: String {
        String(decoding: prefix(200), as: UTF8.self) + (count <= 200 ? "" : "…")
    }
}

extension Logger.Metadata {
    /// The metadata with the number of lines suppressed before this line, if there are any.
    package func adding(unsaid: Int) -> Logger.Metadata {
        guard unsaid > 0 else { return self }
        return merging(["left_out": "\(unsaid)"]) { $1 }
    }
}
