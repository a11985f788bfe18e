public import DeviceKit

/// Makes the files of recordings that are asked for over MQTT. It never blocks the bridge's executor.
public protocol RecordingStore: Sendable {
    /// Begins a file, and removes old ones where there are too many.
    ///
    /// - Parameter date: When the recording begins; it names the file.
    /// - Throws: ``RecordingFailure``.
    func begin(at date: TimeStamp) async throws(RecordingFailure) -> any RecordingFile
}

/// The file of one recording. It never blocks the bridge's executor.
public protocol RecordingFile: Sendable {
    /// Where it lies.
    var path: String { get }
    /// Adds bytes behind those of earlier calls.
    ///
    /// - Throws: ``RecordingFailure``; the caller ends the recording then.
    func append(_ bytes: [UInt8]) async throws(RecordingFailure)
    /// Ends it.
    func close() async
}

/// Says why a recording cannot be written.
public struct RecordingFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in words.
    public var description: String

    /// Makes a failure.
    public init(_ description: String) { self.description = description }
}

/// A recording that begins with the bridge.
public struct RecordingFromStart: Sendable {
    /// Where it is written.
    public var file: any RecordingFile
    /// Whether what a person types or says is written too.
    public var includesPrivate: Bool

    /// Makes one.
    public init(file: any RecordingFile, includesPrivate: Bool) {
        self.file = file
        self.includesPrivate = includesPrivate
    }
}
