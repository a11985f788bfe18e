package import Logging

extension String {
    /// The beginning of a text of somebody else's, as a log shows it.
    package var excerpt: String { utf8.count <= 200 ? self : prefix(200) + "…" }
}

extension [UInt8] {
    /// The beginning of a payload, as a log shows it.
    package var excerpt: String {
        String(decoding: prefix(200), as: UTF8.self) + (count <= 200 ? "" : "…")
    }
}

extension Logger.Metadata {
    /// The same with the number of lines that were left out before, if there are any.
    package func adding(unsaid: Int) -> Logger.Metadata {
        guard unsaid > 0 else { return self }
        return merging(["left_out": "\(unsaid)"]) { $1 }
    }
}
