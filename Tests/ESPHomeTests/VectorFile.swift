import Bluetooth
import ESPHome
import Foundation
import HostTesting
import JSON

/// The vectors, made with Home Assistant's client, Noise and OpenSSL from Python. Read in place.
enum VectorFile {
    static let all: JSON.Value = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Vectors/vectors.json")
        guard let data = try? Data(contentsOf: path), let value = try? JSON.Value(parsing: [UInt8](data))
        else {
            fatalError("\(path.path) cannot be read")
        }
        return value
    }()

    struct Plain: Sendable, CustomStringConvertible {
        var name: String
        var isByClient: Bool
        var frame: Frame
        /// The whole frame on the wire.
        var bytes: [UInt8]

        var description: String { name }
    }

    static let plain: [Plain] = (all["plain"]?.array ?? []).map { value in
        Plain(
            name: value["name"]?.string ?? "", isByClient: value["direction"]?.string == "client",
            frame: Frame(
                type: UInt16(value["type"]?.integer ?? 0),
                payload: Hex.bytes(value["payload"]?.string ?? "") ?? []),
            bytes: Hex.bytes(value["frame"]?.string ?? "") ?? [])
    }

    static let noise = all["noise"] ?? .null

    static func hex(_ key: String) -> [UInt8] { Hex.bytes(noise[key]?.string ?? "") ?? [] }

    /// The bytes of frames of one side, without gaps.
    static func frames(_ list: String, of side: String) -> [[UInt8]] {
        (noise[list]?.array ?? []).filter { $0["direction"]?.string == side }
            .compactMap { Hex.bytes($0["frame"]?.string ?? "") }
    }

    /// Changes one to four places at random.
    static func mutant(of bytes: [UInt8], using random: inout RandomSource) -> [UInt8] {
        var mutant = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard let index = mutant.indices.randomElement(using: &random) else {
                mutant.append(UInt8.random(in: 0...255, using: &random))
                continue
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: mutant[index] = UInt8.random(in: 0...255, using: &random)
            case 1: mutant.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 2: mutant.remove(at: index)
            default: mutant[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return mutant
    }
}
