/// One way in for untrusted bytes, and what has to hold whatever they are.
struct Parser: Sendable {
    /// What the folder of its corpus is called.
    let name: String
    /// Takes the bytes; returns a sentence for each thing that is broken. What crashes is broken without a
    /// sentence.
    let check: @Sendable (_ bytes: [UInt8]) throws -> [String]

    /// All of them.
    static let all = values + wires + families + texts + deviceFiles + roster

    static func named(_ name: String) -> Parser? { all.first { $0.name == name } }
}
