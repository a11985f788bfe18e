import Bluetooth
import BridgeTesting
import Cryptography
import DeviceFiles
import DeviceKit
import Testing

@Suite("The shipped device files")
struct ShippedFileTests {
    @Test("The folder contains exactly the expected files")
    func all() throws {
        let expected = [
            "bthome", "buzz", "eddystone", "environment", "finder", "flower", "heart", "microbit", "thingy",
            "triones", "uart",
        ]
        #expect(try ShippedFiles.names.get() == expected.map { "\($0).yaml" })
    }

    @Test(
        "Each file is read without warnings, and its family has the file's name",
        arguments: try ShippedFiles.names.get())
    func reading(_ name: String) throws {
        let reading = try Self.read(name)
        #expect(reading.warnings.isEmpty, "\(reading.warnings)")
        #expect(reading.file.family + ".yaml" == name)
    }

    @Test(
        "Each file has at least eight examples, which succeed and cover the whole file",
        arguments: try ShippedFiles.names.get())
    func examples(_ name: String) throws {
        let run = ExampleRun(try Self.read(name).file, decrypt: AES.decryptCCM)
        #expect(run.count >= 8)
        #expect(run.failures.isEmpty, "\(run.failures.map(\.description).joined(separator: "\n"))")
        #expect(run.unused.isEmpty, "\(run.unused.map(\.description).joined(separator: "\n"))")
    }

    @Test("The group of a family has a proper plural as its name", arguments: try ShippedFiles.names.get())
    func plural(_ name: String) throws {
        #expect(!(try Self.read(name).file.plural.hasSuffix("ss")))
    }

    @Test(
        "Every switch is switched off by every word for off",
        arguments: try ShippedFiles.names.get())
    func switches(_ name: String) throws {
        for feature in FileFamily(try Self.read(name).file).features {
            #expect(Switches.complaints(feature) == [])
        }
    }

    @Test(
        "A device that matches by a standard service only joins when the configuration names it",
        arguments: ["bthome", "eddystone", "environment", "finder", "flower", "heart", "uart"])
    func joining(_ family: String) throws {
        #expect(try Self.read("\(family).yaml").file.joining == .named)
    }

    @Test("Only devices that need no stop may be connected over a Bluetooth proxy")
    func proxies() throws {
        let allowed = try ShippedFiles.names.get().filter {
            FileFamily(try Self.read($0).file).requirements.mayUseProxy
        }
        #expect(
            allowed
                == ["environment", "flower", "heart", "microbit", "thingy", "triones"].map { "\($0).yaml" })
    }

    @Test(
        "A device with the UART service belongs to the family with the more specific match",
        arguments: [
            ("Buzz 3F", ["buzz"]), ("BBC micro:bit [zuzop]", ["microbit"]), ("ESP32", ["uart"]),
            ("Espruino", ["uart"]),
        ])
    func preference(_ name: String, _ families: [String]) throws {
        let advertisement = Advertisement(
            address: "C0:FF:EE:00:00:01", name: name,
            services: ["6e400001-b5a3-f393-e0a9-e50e24dcca9e"])
        let matches = try ShippedFiles.names.get().compactMap { file in
            let family = FileFamily(try Self.read(file).file)
            return family.match(advertisement).map { (family.name, $0.conditions) }
        }
        let most = matches.map(\.1).max()
        #expect(matches.filter { $0.1 == most }.map(\.0) == families)
    }

    @Test(
        "The kind of match determines the rank of a file, not the number of conditions",
        arguments: [
            (#"{ name: "Pro*" }"#, MatchRank(.partialName, literals: 3)),
            (#"{ name: "Probe 7" }"#, MatchRank(.exactName, literals: 7)),
            ("{ service: ff00 }", MatchRank(.identifier)),
            (#"{ address: "C0:FF:EE:00:00:01" }"#, MatchRank(.identifier)),
            ("{ manufacturer: 89 }", MatchRank(.partialName)),
            (#"{ manufacturer: 89, data: "01" }"#, MatchRank(.identifier, conditions: 2)),
            (#"{ name: "Pro*" }, { service: ff00 }"#, MatchRank(.identifier)),
        ])
    func rank(_ match: String, _ rank: MatchRank) throws {
        let text = Sample.text(packet: ["{ a: u8 }"]).replacing(
            #"[ { name: "Probe*" } ]"#, with: "[ \(match) ]")
        let family = FileFamily(try DeviceFile.read(text, file: "probe.yaml").file)
        let advertisement = Advertisement(
            address: "C0:FF:EE:00:00:01", name: "Probe 7", services: [0xFF00], manufacturerData: [89: [1]])
        #expect(family.rank(of: advertisement) == rank)
    }

    @Test("A plain value that a packet can leave unknown is declared nullable")
    func unknown() throws {
        let family = FileFamily(try Self.read("environment.yaml").file)
        for (name, isNullable) in [
            ("humidity", true), ("temperature", true), ("pressure", true), ("battery", false),
        ] {
            #expect(family.feature(name)?.report?.isNullable == isNullable, "\(name)")
        }
        let other = FileFamily(try Self.read("thingy.yaml").file)
        #expect(other.feature("humidity")?.report?.isNullable == false)
    }

    private static func read(_ name: String) throws -> DeviceFile.Reading {
        try DeviceFile.read(
            ShippedFiles.text(name), file: name, taken: ["belt": "", "tap": "", "robot": ""])
    }
}
