import Glibc
import Testing

/// The recordings: bluetoothd's behavior in each scene, with one line per message.
enum Recording {
    /// A file that cannot be used.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static var folder: String {
        #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
            + "/RealBlueZ"
    }

    /// The recording of a scene.
    static func read(_ name: String) throws -> [String] { try lines(of: "recordings/\(name).txt") }

    /// The lines of a file in the virtual machine's folder.
    static func lines(of file: String) throws -> [String] {
        let path = "\(folder)/\(file)"
        guard let file = fopen(path, "r") else { throw Failure(description: "\(path) cannot be read") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func write(_ lines: [String], _ name: String, in folder: String) throws {
        let path = "\(folder)/\(name).txt"
        guard let file = fopen(path, "w") else { throw Failure(description: "\(path) cannot be written") }
        defer { fclose(file) }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw Failure(description: "\(path) cannot be written")
        }
    }

    /// Runs a scene and always ends the stage.
    static func make(of name: String, on stage: any BusStage) async throws -> [String] {
        do {
            let lines = try await BusScene(name).record(on: stage)
            await stage.end()
            return lines
        } catch {
            await stage.end()
            throw error
        }
    }

    /// The number of times that services were reported as resolved before all of them were present.
    static func earlyResolutions(in lines: [String]) -> Int {
        lines.split { $0.hasPrefix("> ") }.count { step in
            guard
                let place = step.firstIndex(where: {
                    $0.hasPrefix("dev ") && $0.contains("ServicesResolved=true")
                })
            else {
                return false
            }
            return step[place...].contains { $0.hasPrefix("+ service:") }
        }
    }

    /// The differences between two sequences, one text per line; empty if they are equal.
    static func differences(_ seen: [String], _ recorded: [String]) -> [String] {
        seen.difference(from: recorded).map { change in
            switch change {
            case .insert(let offset, let line, _): "seen, line \(offset + 1): \(line)"
            case .remove(let offset, let line, _): "recorded, line \(offset + 1): \(line)"
            }
        }
    }

    /// A report with the differences and all actual lines.
    static func report(_ differences: [String], allSeen: [String]) -> String {
        (differences + ["all that was seen:"] + allSeen).joined(separator: "\n  ")
    }
}
