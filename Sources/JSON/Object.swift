/// The members of a JSON object, in order. Keys are unique.
///
/// Lookup is a linear search: the objects in messages have only a few members, for which a hash table costs more than
/// it saves.
public struct Object: Hashable, Sendable {
    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The key of the member.
        public var key: String
        /// The value of the member.
        public var value: Value

        /// Creates a member.
        public init(key: String, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// Creates an empty object.
    public init() { members = [] }

    /// Reserves capacity for an object that grows member by member.
    public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// Creates an object from members in order. If a key appears several times, its last value is used, at the position
    /// of its first member.
    public init(_ elements: some Sequence<(String, Value)>) {
        members = []
        members.reserveCapacity(elements.underestimatedCount)
        for (key, value) in elements { self[key] = value }
    }

    /// Creates an object from members with unique keys.
    init(literal elements: [(String, Value)]) {
        members = []
        guard !elements.isEmpty else { return }
        // Reserves space for two more members, because the bridge adds `time` and `seq` to the object of an event.
        members.reserveCapacity(elements.count + 2)
        for (key, value) in elements { members.append(Member(key: key, value: value)) }
        assert(Set(keys).count == count, "A key appears twice in \(keys)")
    }

    /// The value of a key. Setting nil removes the member. A new key is appended.
    public subscript(key: String) -> Value? {
        get { members.place(of: key).map { members[$0].value } }
        set {
            guard let index = members.place(of: key) else {
                if let newValue { members.append(Member(key: key, value: newValue)) }
                return
            }
            if let newValue { members[index].value = newValue } else { members.remove(at: index) }
        }
    }

    /// Appends a member whose key the object does not contain. The caller must ensure this.
    package mutating func append(new key: String, _ value: Value) {
        members.append(Member(key: key, value: value))
    }

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }
    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }
    /// The number of members.
    public var count: Int { members.count }
}

extension Object: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal with unique keys.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(literal: elements) }
}

extension [Object.Member] {
    /// Returns the index of a key's member. The loop compares keys in place, because a closure would receive a copy of
    /// each member.
    func place(of key: String) -> Int? {
        for index in indices where self[index].key == key { return index }
        return nil
    }
}
