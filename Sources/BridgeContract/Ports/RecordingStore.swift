public import DeviceKit

/// Creates the files of recordings that are requested over MQTT. It never blocks the bridge's executor.
public protocol RecordingStore: Sendable {
    /// Creates a file, and removes the oldest files if there are too many.
    ///
    /// - Parameter date: When the recording starts; the file name contains it.
    /// - Throws: ``RecordingFailure``.
    func begin(at date: TimeStamp) async throws(RecordingFailure) -> any RecordingFile
}

/// The file of one recording. It never blocks the bridge's executor.
public protocol RecordingFile: Sendable {
    /// The path of the file.
    var path: String { get }
    /// Appends bytes after the bytes of earlier calls.
    ///
    /// - Throws: ``RecordingFailure``; the caller then ends the recording.
    func append(_ bytes: [UInt8]) async throws(RecordingFailure)
    /// Closes the file.
    func close() async
}

/// The reason why a recording cannot be written.
public struct RecordingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in words.
    public var description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }
}

/// A recording that starts together with the bridge.
public struct RecordingFromStart: Sendable {
    /// The file of the recording.
    public var file: any RecordingFile
    /// Whether the recording includes typed and spoken text of users.
    public var includesPrivate: Bool

    /// Creates a recording from the start.
    public init(file: any RecordingFile, includesPrivate: Bool) {
        self.file = file
        self.includesPrivate = includesPrivate
    }
}
