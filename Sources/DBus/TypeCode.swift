/// The type codes of the D-Bus specification, which are C macros in libdbus and not imported into Swift.
enum TypeCode {
    static let invalid: CInt = 0
    static let byte = code("y")
    static let bool = code("b")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let int32 = code("i")
    static let uint32 = code("u")
    static let int64 = code("x")
    static let uint64 = code("t")
    static let double = code("d")
    static let string = code("s")
    static let objectPath = code("o")
    static let signature = code("g")
    static let descriptor = code("h")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let entry = code("e")

    @inline(__always)
    private static func code(_ character: Unicode.Scalar) -> CInt { CInt(UInt8(ascii: character)) }
}
