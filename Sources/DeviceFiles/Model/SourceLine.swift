/// The line of a file at which something stands, for messages. It makes no difference between two things that were read:
/// a file with another comment says the same.
@propertyWrapper
package struct SourceLine: Hashable, Sendable {
    package var wrappedValue: Int

    package init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

    /// All lines are equal.
    package static func == (left: SourceLine, right: SourceLine) -> Bool { true }

    /// Adds nothing.
    package func hash(into hasher: inout Hasher) {}
}
