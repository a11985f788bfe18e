extension ValueType {
    /// The type of an array of bytes.
    static let bytes = ValueType.array(.byte)

    /// The length of the type in a signature, computed without creating the text.
    ///
    /// - Throws: `DBusError` with `.invalidValue` if the type is nested deeper than 32 arrays or 32 structures, or
    ///   contains an empty structure or a dictionary with a container as key.
    func checkedLength(arrays: Int = 0, structures: Int = 0) throws(DBusError) -> Int {
        switch self {
        case .array(let element):
            guard arrays < Signature.maximumDepth else { throw .invalid("A type nests arrays too deeply") }
            return try 1 + element.checkedLength(arrays: arrays + 1, structures: structures)
        case .dictionary(let key, let value):
            guard arrays < Signature.maximumDepth else { throw .invalid("A type nests arrays too deeply") }
            guard key.isBasic else { throw .invalid("A type has a container as the key of a dictionary") }
            return try 4 + value.checkedLength(arrays: arrays + 1, structures: structures)
        case .structure(let fields):
            guard structures < Signature.maximumDepth else {
                throw .invalid("A type nests structures too deeply")
            }
            guard !fields.isEmpty else { throw .invalid("A type has an empty structure") }
            var length = 2
            for field in fields {
                length += try field.checkedLength(arrays: arrays, structures: structures + 1)
            }
            return length
        default: return 1
        }
    }
}
