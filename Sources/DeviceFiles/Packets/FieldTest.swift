package import JSON

/// What a field of a command must be.
package struct FieldTest: Hashable, Sendable {
    /// What it must be.
    package var equals: JSON.Value?
    /// What it must be at least.
    package var atLeast: Double?
    /// What it must be at most.
    package var atMost: Double?
    /// Whether it must be given, or must not be.
    package var given: Bool?

    /// Makes a test.
    package init(
        equals: JSON.Value? = nil, atLeast: Double? = nil, atMost: Double? = nil, given: Bool? = nil
    ) {
        self.equals = equals
        self.atLeast = atLeast
        self.atMost = atMost
        self.given = given
    }

    /// Whether a value is as it must be; nil is one that was not given.
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
