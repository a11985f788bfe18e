/// A protobuf message, which is a list of numbered fields. One method, ``code(_:)``, describes the fields for reading
/// and for writing.
public protocol Fields: Hashable, Sendable {
    /// Creates a message with the default value of each field: zero, false or empty.
    init()
    /// Passes each field with its number to a coder, which reads or writes the field. The fields are passed in the
    /// order of their numbers.
    mutating func code(_ coder: inout some FieldCoder) throws(MessageError)
}

/// Reads or writes the fields of a message (protobuf version 3, "Encoding").
///
/// A field with its default value is not written. When a message is read, an absent field keeps its value, and if a
/// field occurs several times, the last value counts, except in lists.
public protocol FieldCoder {
    /// An unsigned number.
    mutating func unsigned(_ number: Int, _ value: inout UInt64) throws(MessageError)
    /// A list of unsigned numbers. Both of protobuf's encodings are read; lists are written unpacked, as ESPHome's
    /// firmware does.
    mutating func list(_ number: Int, _ values: inout [UInt64]) throws(MessageError)
    /// Bytes.
    ///
    /// - Parameter most: The maximum number of bytes; a longer value is an error.
    mutating func bytes(_ number: Int, _ value: inout [UInt8], most: Int) throws(MessageError)
    /// A list of messages.
    mutating func messages<Message: Fields>(_ number: Int, _ values: inout [Message]) throws(MessageError)
}

/// The reason why the payload of a message cannot be read.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value that was found, and the allowed values.
    public let description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}
