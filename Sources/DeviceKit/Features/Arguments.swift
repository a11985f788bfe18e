public import JSON

/// The checked arguments of a command, or the checked settings of a device: every value fits its declaration.
public struct Arguments: Hashable, Sendable {
    /// The values by key, defaults filled in.
    public var values: JSON.Object

    /// Wraps checked values.
    public init(_ values: JSON.Object = [:]) { self.values = values }

    /// The value of a key; nil where it was not given and has no default.
    public subscript(key: String) -> JSON.Value? { values[key] }

    /// A whole number, nil where it is not given or null.
    public func integer(_ key: String) -> Int? { values[key]?.integer }
    /// A number, nil where it is not given or null.
    public func number(_ key: String) -> Double? { values[key]?.double }
    /// A word or text, nil where it is not given or null.
    public func text(_ key: String) -> String? { values[key]?.string }
    /// A truth value; one that is not given is false.
    public func flag(_ key: String) -> Bool { values[key]?.bool ?? false }
    /// A list of whole numbers, nil where it is not given or null.
    public func integers(_ key: String) -> [Int]? { values[key]?.array?.compactMap(\.integer) }
    /// Whether the key was given or has a default, and is not null.
    public func has(_ key: String) -> Bool { values[key].map { $0 != .null } ?? false }
}

extension Arguments: ExpressibleByDictionaryLiteral {
    /// Lets a literal stand for arguments, as tests write them.
    public init(dictionaryLiteral elements: (String, JSON.Value)...) { self.init(JSON.Object(elements)) }
}
