/// Why a recording ended.
package enum RecordingEnd: Hashable, Sendable {
    /// The requested time was over.
    case time
    /// A request ended the recording.
    case request
    /// The file reached its maximum size.
    case size
    /// The file could not be written, for this reason.
    case disk(String)
    /// The bridge exited.
    case shutdown

    /// The word for the reason in MQTT messages.
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
