/// A condition on which features and setup steps depend: a test of a setting, or of a field of a state that the device
/// has sent on this connection.
package struct Fact: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case setting(String)
        /// The test concerns a field of a state: the index of the feature, and the name of the field.
        case field(Int, String)
    }

    package var subject: Subject
    package var test: FieldTest

    package init(_ subject: Subject, _ test: FieldTest) {
        self.subject = subject
        self.test = test
    }
}
