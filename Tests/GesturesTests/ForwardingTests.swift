import Foundation
import Testing

@Suite("What a family with gestures passes on")
struct ForwardingTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: "Sources/\(path)"), encoding: .utf8)
    }

    /// The members that the protocol of all families declares.
    private static func members() throws -> [String] {
        let text = try text("DeviceKit/Machine/DeviceFamily.swift")
        let start = try #require(text.firstRange(of: "public protocol DeviceFamily"))
        let end = try #require(text[start.upperBound...].firstRange(of: "\n}\n"))
        return text[start.upperBound..<end.lowerBound].matches(of: /\n    (?:var|func) (\w+)/).map {
            String($0.output.1)
        }
    }

    // Most members have a default, so that the compiler accepts a family that does not pass them on.
    @Test("Each member of a family is declared, and uses the member of the family without gestures")
    func all() throws {
        let members = try Self.members()
        #expect(members.count > 25 && members.contains("visiting") && members.contains("advertising"))
        let text = try Self.text("Gestures/GesturedFamily.swift")
        for name in members {
            #expect(
                text.contains("var \(name):") || text.contains("func \(name)("), "\(name) is not declared")
            #expect(text.contains("base.\(name)"), "\(name) does not use the other family")
        }
    }
}
