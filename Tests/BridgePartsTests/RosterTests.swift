import Bluetooth
import BridgeTesting
import DeviceCatalog
import DeviceKit
import HomeAssistant
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Roster of a fleet")
struct RosterTests {
    private static let first: Address = "C0:FF:EE:00:BE:01"
    private static let second: Address = "C0:FF:EE:00:BE:02"
    private let reader = RosterReader([SampleFamily()], reserved: ["homeassistant"])

    private func entry(_ name: String, _ address: Address = first, at seconds: Int64 = 0) -> RosterEntry {
        RosterEntry(
            address: address, name: name, family: "sample", by: "attic",
            time: TimeStamp(milliseconds: 1_800_000_000_000 + seconds * 1000))
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func text(_ change: String = "", without key: String = "") -> [UInt8] {
        var members = [
            #""v":1"#, #""name":"hall/left""#, #""family":"sample""#, #""by":"attic""#,
            #""time":"2026-01-31T12:00:00.000Z""#,
        ].filter { !$0.hasPrefix("\"\(key)\"") }
        if !change.isEmpty { members.append(change) }
        return bytes("{\(members.joined(separator: ","))}")
    }

    // MARK: Single messages

    @Test("A written entry is read back unchanged")
    func roundTrip() throws {
        var entry = entry("hall/left")
        entry.settings = ["greeting": "hello"]
        entry.preferred = ["attic", "cellar"]
        entry.appearance = Appearance(displayName: "Left", area: "Hall", icon: "mdi:run")
        #expect(try reader.entry(entry.payload, of: Self.first) == entry)
        let groups = RosterGroups(
            groups: [.init(name: "wearers", members: ["belt", "hall/belt"])], by: "fleet", time: entry.time)
        #expect(try reader.groups(groups.payload) == groups)
        #expect(RosterEntry.key(of: Self.first) == "c0ffee00be01")
        #expect(RosterEntry.address(of: "c0ffee00be01") == Self.first)
        for key in ["C0FFEE00BE01", "c0ffee00be1", "c0:ffee00be0", "groups", "c0ffee00be0g", "+c0ffee00be0"] {
            #expect(RosterEntry.address(of: key) == nil, "\(key)")
        }
    }

    @Test(
        "An invalid message is refused with the reason",
        arguments: [
            ("name", "", "name: missing"), ("family", "", "family: missing"), ("by", "", "by: missing"),
            ("time", "", "time: missing"), ("v", "", "v: missing"), ("v", #""v":0"#, "v:"),
            ("name", #""name":"a//b""#, "name"), ("name", #""name":"roster/x""#, "roster is reserved"),
            ("name", #""name":"claim""#, "claim is reserved"),
            ("name", #""name":"homeassistant/x""#, "discovery prefix"),
            ("name", #""name":"a/connection""#, "name of a feature"),
            ("", #""color":"red""#, "color: not known"),
            ("", #""settings":{"greting":"x"}"#, "settings.greting: not a setting of sample"),
            ("", #""settings":{"greeting":5}"#, "settings.greeting"), ("", #""settings":[]"#, "settings"),
            ("", #""preferred":["a b"]"#, "preferred[0]"),
        ])
    func refused(_ key: String, _ change: String, _ reason: String) {
        do {
            let entry = try reader.entry(text(change, without: key), of: Self.first)
            Issue.record("\(entry) was taken")
        } catch { #expect(error.description.contains(reason), "\(error)") }
    }

    @Test("Payloads that are not a JSON object, or too large, are refused")
    func noObject() {
        for payload in [bytes("["), bytes("1"), [0xFF], [UInt8](repeating: 0x20, count: 20_000)] {
            #expect(throws: RosterReader.Refusal.self) { try reader.entry(payload, of: Self.first) }
            #expect(throws: RosterReader.Refusal.self) {
                try reader.groups(payload.count > 100 ? [UInt8](repeating: 0x20, count: 70_000) : payload)
            }
        }
    }

    @Test(
        "Unknown fields are ignored in a newer version only; settings of an unknown family are accepted")
    func newer() throws {
        let newer = text(#""v":2,"color":"red""#, without: "v")
        #expect(try reader.entry(newer, of: Self.first).name == "hall/left")
        let other = text(#""family":"lamp","settings":{"watts":5}"#, without: "family")
        #expect(try reader.entry(other, of: Self.first).settings == ["watts": 5])
    }

    @Test("A secret setting is refused")
    func secret() {
        var family = SampleFamily()
        family.settings[0].isSecret = true
        let reader = RosterReader([family], reserved: [])
        do {
            _ = try reader.entry(text(#""settings":{"greeting":"hello"}"#), of: Self.first)
            Issue.record("a secret was taken")
        } catch { #expect(error.description.contains("a secret") && !error.description.contains("hello")) }
    }

    @Test("The settings of a robot are refused: each host has its own")
    func hazard() throws {
        let reader = RosterReader(Registry.families, reserved: [])
        let robot = text(#""family":"robot","settings":{"power_on_connect":true}"#, without: "family")
        do {
            _ = try reader.entry(robot, of: Self.first)
            Issue.record("the settings of a robot were taken")
        } catch { #expect(error.description.contains("for a device that can hurt people")) }
        #expect(
            try reader.entry(text(#""family":"robot""#, without: "family"), of: Self.first).family == "robot")
    }

    // MARK: All messages

    private func isRefused(_ change: Roster.Change) -> Bool {
        if case .refused = change { true } else { false }
    }

    @Test("An entry is added, changed, repeated, refused and cleared")
    func changes() {
        var roster = Roster()
        #expect(roster.hear(entry("a").payload, of: Self.first, reader) == .device(Self.first))
        // The author and the time of an entry are no change.
        #expect(roster.hear(entry("a", at: 9).payload, of: Self.first, reader) == .nothing)
        #expect(roster.hear(entry("b").payload, of: Self.first, reader) == .device(Self.first))
        let refusal = roster.hear(bytes("{}"), of: Self.first, reader)
        #expect(isRefused(refusal))
        #expect(roster.entries[Self.first]?.name == "b" && roster.unreadable == [Self.first])
        #expect(roster.owners == ["b": Self.first])
        #expect(roster.hear([], of: Self.first, reader) == .device(Self.first))
        #expect(roster.hear([], of: Self.first, reader) == .nothing)
        #expect(roster.entries.isEmpty && roster.owners.isEmpty && roster.unreadable.isEmpty)
    }

    @Test("A name claimed twice belongs to the older entry, on a tie to the lower address, in any order")
    func owners() {
        for order in [[0, 1], [1, 0]] {
            var roster = Roster()
            let entries = [entry("belt", Self.first, at: 5), entry("belt", Self.second, at: 4)]
            for index in order { _ = roster.take(entries[index]) }
            #expect(roster.owners["belt"] == Self.second)
            _ = roster.take(entry("belt", Self.first, at: 4))
            #expect(roster.owners["belt"] == Self.first)
            roster.drop(Self.first)
            #expect(roster.owners["belt"] == Self.second)
            _ = roster.take(entry("hall", Self.second))
            #expect(roster.owners == ["hall": Self.second])
        }
    }

    @Test("A missing entry is dropped once all retained messages have arrived")
    func settles() {
        var roster = Roster()
        roster.connected()
        _ = roster.hear(entry("a").payload, of: Self.first, reader)
        let groups = #"{"v":1,"groups":{"g":["a"]},"by":"x","time":"2026-01-31T12:00:00Z"}"#
        _ = roster.hear(groups: bytes(groups), reader)
        #expect(!roster.isSettled)
        var isOther = roster.settle()
        #expect(roster.isSettled && !isOther && roster.groups?.groups.map(\.name) == ["g"])
        roster.lost()
        roster.connected()
        #expect(!roster.isSettled && roster.entries.count == 1)
        _ = roster.hear(entry("b", Self.second).payload, of: Self.second, reader)
        isOther = roster.settle()
        #expect(isOther && roster.groups == nil)
        #expect(roster.entries.keys.sorted() == [Self.second] && roster.owners == ["b": Self.second])
    }

    @Test("Devices beyond the capacity are refused, and known devices can still change")
    func capacity() {
        var roster = Roster()
        for number in 0..<Roster.capacity {
            _ = roster.take(entry("n\(number)", Address(number: UInt64(number))))
        }
        let other = Address(number: 0xFFFF_FFFF)
        #expect(isRefused(roster.hear(entry("x").payload, of: other, reader)))
        let known = Address(number: 1)
        #expect(roster.hear(entry("y", known).payload, of: known, reader) == .device(known))
    }

    @Test("The cost of a message does not grow with the roster", arguments: [3, 300, 3000])
    func cost(_ count: Int) {
        var roster = Roster()
        let clock = ContinuousClock()
        let payloads = (0..<count).map { number in
            let address = Address(number: UInt64(number))
            return (address, entry("n\(number)", address).payload)
        }
        let reading = clock.measure {
            for (address, payload) in payloads { _ = roster.hear(payload, of: address, reader) }
        }
        let settling = clock.measure { _ = roster.settle() }
        print("roster of \(count): \(reading / count) a message, \(settling) to settle")
        #expect(roster.entries.count == count && roster.owners.count == count)
        #expect(reading / count < .milliseconds(5))
    }
}
