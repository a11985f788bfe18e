/// Why a recording ended.
package enum RecordingEnd: Hashable, Sendable {
    /// Its time was over.
    case time
    /// A person ended it.
    case request
    /// It became too large.
    case size
    /// It could not be written, for this reason.
    case disk(String)
    /// The bridge ended.
    case shutdown

    /// The word for it in messages.
    package var word: String {
        switch self {
        case .time: "time"
        case .request: "request"
        case .size: "size"
        case .disk: "disk"
        case .shutdown: "shutdown"
        }
    }

    static let words = [Self.time, .request, .size, .disk(""), .shutdown].map(\.word)
}
