package import JSON

/// A test of a value: of a field of a command, of a state's field or of a setting.
package struct FieldTest: Hashable, Sendable {
    /// The value that the tested field must have.
    package var equals: JSON.Value?
    /// The minimum of a number.
    package var atLeast: Double?
    /// The maximum of a number.
    package var atMost: Double?
    /// Whether the field must be present (`true`) or absent (`false`).
    package var given: Bool?

    package init(
        equals: JSON.Value? = nil, atLeast: Double? = nil, atMost: Double? = nil, given: Bool? = nil
    ) {
        self.equals = equals
        self.atLeast = atLeast
        self.atMost = atMost
        self.given = given
    }

    /// Whether a value passes the test; nil stands for an absent field.
    package func holds(_ value: JSON.Value?) -> Bool {
        let present = value.flatMap { $0 == .null ? nil : $0 }
        if let given { guard (present != nil) == given else { return false } }
        if let equals {
            guard let present, present == equals || present.double.map({ $0 == equals.double }) ?? false
            else {
                return false
            }
        }
        if let atLeast { guard let number = present?.double, number >= atLeast else { return false } }
        if let atMost { guard let number = present?.double, number <= atMost else { return false } }
        return true
    }
}
