/// The line number of an entry in its file, for messages. Comparisons ignore line numbers, so that files that differ
/// only in comments are equal.
@propertyWrapper
package struct SourceLine: Hashable, Sendable {
    package var wrappedValue: Int

    package init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

    /// All lines are equal.
    package static func == (left: SourceLine, right: SourceLine) -> Bool { true }

    /// Has no effect, because all lines are equal.
    package func hash(into hasher: inout Hasher) {}
}
