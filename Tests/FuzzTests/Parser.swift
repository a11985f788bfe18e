/// An entry point for untrusted bytes, and a check of the required properties for any input.
struct Parser: Sendable {
    /// The name of the corpus folder.
    let name: String
    /// Parses the bytes and returns a sentence for each failed property. A crash is a failure without a sentence.
    let check: @Sendable (_ bytes: [UInt8]) throws -> [String]

    static let all = values + wires + families + texts + deviceFiles + roster + esphome

    static func named(_ name: String) -> Parser? { all.first { $0.name == name } }
}
