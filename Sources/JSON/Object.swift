/// The members of a JSON object in their order; keys are unique.
///
/// A linear search: the objects of a message have a handful of members, where a hash table costs more than
/// it saves.
public struct Object: Hashable, Sendable {
    /// One member.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The value.
        public var value: Value

        /// Makes a member.
        public init(key: String, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The members in their order.
    public private(set) var members: [Member]

    /// Makes an empty object.
    public init() { members = [] }

    /// Makes room for so many members, for an object that grows member by member.
    public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// Makes an object of members in order; of two with one key the last one counts, in the first one's place.
    public init(_ elements: some Sequence<(String, Value)>) {
        members = []
        members.reserveCapacity(elements.underestimatedCount)
        for (key, value) in elements { self[key] = value }
    }

    /// Makes an object of members whose keys differ.
    init(literal elements: [(String, Value)]) {
        members = []
        guard !elements.isEmpty else { return }
        // An event gets its time and its number behind what it says.
        members.reserveCapacity(elements.count + 2)
        for (key, value) in elements { members.append(Member(key: key, value: value)) }
        assert(Set(keys).count == count, "A key stands twice in \(keys)")
    }

    /// The value of a key; setting nil removes it, a new key comes last.
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

    /// Adds a member whose key is known to be new.
    package mutating func append(new key: String, _ value: Value) {
        members.append(Member(key: key, value: value))
    }

    /// The keys in their order.
    public var keys: [String] { members.map(\.key) }
    /// Whether it has no member.
    public var isEmpty: Bool { members.isEmpty }
    /// How many members it has.
    public var count: Int { members.count }
}

extension Object: ExpressibleByDictionaryLiteral {
    /// Lets a literal stand for an object; its keys must differ.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(literal: elements) }
}

extension [Object.Member] {
    /// Where the member of a key is. Keys are compared where they lie: a closure would be given a copy of each member.
    func place(of key: String) -> Int? {
        for index in indices where self[index].key == key { return index }
        return nil
    }
}
