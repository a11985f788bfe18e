import BridgeContract
import DeviceCatalog
import DeviceFiles
import DeviceKit
import Foundation
import Testing

@Suite("The topics of the pages")
struct TopicTests {
    /// A message or a filter on a page.
    struct Example: Sendable, CustomTestStringConvertible {
        let line: ConsoleLine
        let topic: String
        let payload: String

        var testDescription: String { line.description }

        init?(_ line: ConsoleLine) {
            let words = line.words
            guard let index = words.firstIndex(of: "-t"), index + 1 < words.count else { return nil }
            self.line = line
            topic = words[index + 1]
            payload = words.firstIndex(of: "-m").flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? ""
        }
    }

    private static let families: [any DeviceFamily] = Registry.families + Repository.shippedFamilies
    private static let examples = Repository.pages.flatMap(ConsoleLine.all)
        .filter { !$0.isTutorial }.compactMap(Example.init)
    private static let commands = examples.filter {
        ["mosquitto_pub", "mosquitto_rr"].contains($0.line.words[0])
    }
    private static let filters = examples.filter { $0.line.words[0] == "mosquitto_sub" }

    @Test("The bridge accepts each message that a page sends", arguments: commands)
    func messages(_ example: Example) throws {
        let levels = example.topic.split(separator: "/").map { String($0) }
        let candidates = Self.features(levels)
        try #require(!candidates.isEmpty, "\(example.line): nothing takes a message on \(example.topic)")
        let parsed = candidates.map { command in
            Result { () throws(CommandError) in try command.parse(Array(example.payload.utf8)) }
        }
        // The answer on the page shows whether the payload is meant to be rejected.
        let answer = (example.line.output ?? []).joined().firstMatch(of: /"code":"(\w+)"/)?.1
        let isExpected = parsed.contains { result in
            switch result {
            case .success: answer == nil
            case .failure(let error): answer.map { $0 == error.code.rawValue } ?? false
            }
        }
        #expect(isExpected, "\(example.line): \(parsed)")
    }

    @Test("Each filter that a page subscribes to matches a topic", arguments: filters)
    func subscriptions(_ example: Example) throws {
        let topics = try Self.topics.get()
        let filter = example.topic.split(separator: "/")
        #expect(
            topics.contains { Self.matches(filter, $0) }, "\(example.line): no topic matches \(example.topic)"
        )
    }

    @Test("The pages contain messages and filters, and a message that no device accepts is detected")
    func notice() throws {
        #expect(Self.commands.count > 20 && Self.filters.count > 3)
        #expect(Self.features(["belt", "vibrate", "set"]).count == 1)
        #expect(Self.features(["belt", "drive", "set"]).isEmpty)
        #expect(Self.features(["bridge", "attic", "request", "permit_leave"]).isEmpty)
        let topics = try Self.topics.get()
        #expect(topics.count > 50)
        #expect(!topics.contains { Self.matches(["belt", "batery"], $0) })
        #expect(topics.contains { Self.matches(["hall", "left", "info"], $0) })
    }

    // MARK: Existing topics

    /// The commands that a topic may belong to.
    private static func features(_ levels: [String]) -> [Command] {
        if levels.count == 4, levels[0] == "bridge", levels[2] == "request" {
            return BridgeFeatures.requests(families).filter { $0.name == levels[3] }.compactMap(
                \.command)
        }
        guard levels.count >= 3, levels.last == "set" else { return [] }
        let name = levels[levels.count - 2]
        if name == GroupFeatures.stop.name {
            if levels.first == GroupFeatures.everything { return [GroupFeatures.stop].compactMap(\.command) }
            if levels.first == "zone" { return [GroupFeatures.zoneStop].compactMap(\.command) }
        }
        // A device may have any name; a name with a family's name as a level belongs to that family.
        let named = families.filter { levels.dropLast(2).contains($0.name) }
        return (named.isEmpty ? families : named).flatMap(\.features).filter { $0.name == name }
            .compactMap(\.command)
    }

    /// The topics of the printed reference and of the shipped device files, split into levels.
    private static let topics = Result {
        let shipped: [[Substring]] = Repository.shippedFamilies.flatMap { family in
            family.features.map { [Substring(family.name), "<id>", Substring($0.name)] }
        }
        return try Program.run("tactile-bridge topics --format markdown").lines.compactMap { line in
            line.prefixMatch(of: /\| \[?`([^`]+\/[^`]+)`/).map { $0.1.split(separator: "/") }
        } + shipped
    }

    /// Whether a topic with placeholders matches a filter. `<device>` stands for one or more levels, others for one.
    private static func matches(_ filter: [Substring], _ topic: [Substring]) -> Bool {
        if filter.first == "#" { return true }
        guard let want = filter.first, let have = topic.first else { return filter.isEmpty && topic.isEmpty }
        let (filterRest, topicRest) = (Array(filter.dropFirst()), Array(topic.dropFirst()))
        let isName = have == "<device>" || have == "<group>"
        guard isName || have.hasPrefix("<") || want == "+" || want == have else { return false }
        return matches(filterRest, topicRest) || isName && matches(filterRest, topic)
    }
}
