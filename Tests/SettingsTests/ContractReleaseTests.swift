import DeviceKit
import Foundation
import JSON
import Testing

@testable import Reference

@Suite("Compatibility of the contract with the last release")
struct ContractReleaseTests {
    @Test("Nothing of the last release is missing or narrower, so that its clients keep working")
    func release() throws {
        let file = "contract-\(Contract.version).json"
        let old = try JSON.Value(parsing: Array(ContractTests.text(file).utf8))
        let new = try JSON.Value(parsing: Array(TopicReference(ContractTests.families).json.utf8))
        for breach in ContractChange.breaches(from: old, to: new) {
            Issue.record(
                """
                \(breach): docs/reference/compatibility.md does not allow this within contract \(Contract.version), \
                which docs/reference/\(file) holds as the last release had it
                """)
        }
    }

    /// A change of the contract, and a word of the expected report; nil for an allowed change.
    struct Change: CustomTestStringConvertible {
        var name: String
        var path: [String]
        var value: JSON.Value?
        var says: String?

        var testDescription: String { name }
    }

    private static let changes = [
        Change(name: "a feature is gone", path: ["belt", "battery"], says: "battery: it is gone"),
        Change(name: "a family is gone", path: ["robot"], says: "robot: it is gone"),
        Change(name: "a kind changed", path: ["belt", "battery", "kind"], value: "stream", says: "kind"),
        Change(name: "a topic moved", path: ["belt", "mode", "topic"], value: "belt/modus", says: "topic"),
        Change(
            name: "a key of a report is gone", path: ["belt", "battery", "fields", "level"],
            says: "level: it is gone"),
        Change(
            name: "a unit changed", path: ["belt", "battery", "fields", "level", "unit"], value: "V",
            says: "unit"),
        Change(
            name: "a word is gone", path: ["belt", "mode", "values"], value: ["wait", "app"], says: "values"),
        Change(
            name: "a limit is narrower",
            path: ["belt", "intensity", "set", "fields", "intensity", "maximum"],
            value: 90, says: "maximum"),
        Change(
            name: "a limit is wider", path: ["belt", "intensity", "set", "fields", "intensity", "maximum"],
            value: 110),
        Change(
            name: "a key of a command is needed now",
            path: ["belt", "vibrate", "set", "fields", "motor", "required"], value: true, says: "required"),
        Change(
            name: "a new key is needed", path: ["belt", "vibrate", "set", "fields", "new"],
            value: ["type": "boolean", "required": true], says: "new"),
        Change(
            name: "a new key may be left out", path: ["belt", "vibrate", "set", "fields", "new"],
            value: ["type": "boolean"]),
        Change(
            name: "a default changed", path: ["belt", "vibrate", "set", "fields", "pattern", "default"],
            value: "warning", says: "default"),
        Change(
            name: "there is a rule more", path: ["belt", "intensity", "set", "rules"],
            value: [["requires": ["feedback"]]], says: "rules"),
        Change(
            name: "a shorthand is gone", path: ["belt", "intensity", "set", "shorthand"], says: "shorthand"),
        Change(
            name: "a null may stand there", path: ["belt", "battery", "fields", "level", "nullable"],
            value: true, says: "nullable"),
        Change(
            name: "a stream is private", path: ["tap", "moused", "private"], value: true, says: "private"),
        Change(name: "a summary is better", path: ["belt", "battery", "summary"], value: "Better."),
        Change(name: "there is a feature more", path: ["belt", "new"], value: ["kind": "state"]),
    ]

    @Test("A change that breaks clients is detected; any other change is not reported", arguments: changes)
    func change(_ change: Change) throws {
        let old = try JSON.Value(parsing: Array(TopicReference(ContractTests.families).json.utf8))
        let breaches = ContractChange.breaches(from: old, to: old.replacing(change.path[...], change.value))
        guard let words = change.says else { return #expect(breaches.isEmpty, "\(breaches)") }
        #expect(breaches.contains { $0.contains(words) }, "\(breaches)")
    }
}

extension JSON.Value {
    /// Replaces the value at a path; nil removes it.
    fileprivate func replacing(_ path: ArraySlice<String>, _ value: JSON.Value?) -> JSON.Value {
        guard let key = path.first, case .object(var object) = self else { return value ?? self }
        object[key] = path.count == 1 ? value : (object[key] ?? [:]).replacing(path.dropFirst(), value)
        return .object(object)
    }
}
