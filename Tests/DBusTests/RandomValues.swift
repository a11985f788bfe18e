import DBus
import Glibc

/// Creates values of random types, the same ones for the same seed.
struct RandomValues {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func number() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    private mutating func number(below limit: UInt64) -> Int { Int(number() % limit) }

    mutating func type(depth: Int = 0) -> ValueType {
        let basic: [ValueType] = [
            .byte, .bool, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath,
            .signature, .descriptor,
        ]
        let containers = depth < 5 ? 5 : 0
        let choice = number(below: UInt64(basic.count + containers * 3))
        switch choice {
        case 0..<basic.count: return basic[choice]
        default: break
        }
        switch choice % 5 {
        case 0: return .variant
        case 1: return .array(type(depth: depth + 1))
        case 2: return .dictionary(basic[number(below: 12)], type(depth: depth + 1))
        case 3: return .array(.byte)
        default: return .structure((0...number(below: 3)).map { _ in type(depth: depth + 1) })
        }
    }

    mutating func value(of type: ValueType, depth: Int = 0) -> Value {
        let count = depth > 6 ? 0 : number(below: 4)
        switch type {
        case .byte: return .byte(UInt8(truncatingIfNeeded: number()))
        case .bool: return .bool(number() % 2 == 0)
        case .int16: return .int16(Int16(truncatingIfNeeded: number()))
        case .uint16: return .uint16(UInt16(truncatingIfNeeded: number()))
        case .int32: return .int32(Int32(truncatingIfNeeded: number()))
        case .uint32: return .uint32(UInt32(truncatingIfNeeded: number()))
        case .int64: return .int64(Int64(truncatingIfNeeded: number()))
        case .uint64: return .uint64(number())
        case .double: return .double(Double(Int64(truncatingIfNeeded: number())) / 1024)
        case .string: return .string(["", "a", "grüß dich", "\u{1F9ED}", String(number())][number(below: 5)])
        case .objectPath: return .objectPath(["/", "/a", "/org/bluez/hci0/dev_00_11"][number(below: 3)])
        case .signature: return .signature(["", "s", "a{sv}(ii)"][number(below: 3)])
        case .descriptor: return .descriptor(Self.anyDescriptor())
        case .variant:
            let inner = depth > 6 ? ValueType.byte : self.type(depth: depth + 1)
            return .variant(value(of: inner, depth: depth + 1))
        case .array(.byte):
            return .bytes((0..<number(below: 300)).map { _ in UInt8(truncatingIfNeeded: number()) })
        case .array(let element):
            return .array((0..<count).map { _ in value(of: element, depth: depth + 1) }, of: element)
        case .dictionary(let key, let content):
            let entries = (0..<count).map { _ in
                Value.Entry(value(of: key, depth: depth + 1), value(of: content, depth: depth + 1))
            }
            return .dictionary(entries, key: key, value: content)
        case .structure(let fields):
            return .structure(fields.map { value(of: $0, depth: depth + 1) })
        }
    }

    private static func anyDescriptor() -> Descriptor {
        Descriptor(adopting: open("/dev/null", O_RDONLY | O_CLOEXEC))
    }
}

extension Value {
    /// The value with its descriptors replaced by the identity of their files, for comparison.
    var comparable: Value {
        switch self {
        case .descriptor(let descriptor):
            var status = stat()
            let isOpen = fstat(descriptor.number, &status) == 0
            return .structure([
                .bool(isOpen), .uint64(UInt64(status.st_ino)), .uint64(UInt64(status.st_rdev)),
            ])
        case .array(let elements, let type): return .array(elements.map(\.comparable), of: type)
        case .dictionary(let entries, let key, let value):
            let entries = entries.map { Entry($0.key.comparable, $0.value.comparable) }
            return .dictionary(entries, key: key, value: value)
        case .structure(let fields): return .structure(fields.map(\.comparable))
        case .variant(let inner): return .variant(inner.comparable)
        default: return self
        }
    }
}
