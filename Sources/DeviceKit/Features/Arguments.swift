public import JSON

/// The checked arguments of a command, or the checked settings of a device. Every value fits its declaration.
public struct Arguments: Hashable, Sendable {
    /// The values by key, including defaults.
    public var values: JSON.Object

    /// Creates arguments from checked values.
    public init(_ values: JSON.Object = [:]) { self.values = values }

    /// The value of a key; nil if it is absent and has no default.
    public subscript(key: String) -> JSON.Value? { values[key] }

    /// Returns a whole number; nil if the key is absent or null.
    public func integer(_ key: String) -> Int? { values[key]?.integer }
    /// Returns a number; nil if the key is absent or null.
    public func number(_ key: String) -> Double? { values[key]?.double }
    /// Returns a word or text; nil if the key is absent or null.
    public func text(_ key: String) -> String? { values[key]?.string }
    /// Returns a Boolean; false if the key is absent.
    public func flag(_ key: String) -> Bool { values[key]?.bool ?? false }
    /// Returns a list of whole numbers; nil if the key is absent or null.
    public func integers(_ key: String) -> [Int]? { values[key]?.array?.compactMap(\.integer) }
    /// Whether the key is present or has a default, and is not null.
    public func has(_ key: String) -> Bool { values[key].map { $0 != .null } ?? false }
}

extension Arguments: ExpressibleByDictionaryLiteral {
    /// Creates arguments from a literal, for tests.
    public init(dictionaryLiteral elements: (String, JSON.Value)...) { self.init(JSON.Object(elements)) }
}
