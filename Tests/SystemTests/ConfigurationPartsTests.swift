import Foundation
import HostTesting
import JSON
import Testing

@Suite("A configuration in several files", .serialized)
struct ConfigurationPartsTests {
    @Test(
        "A part that is laid down beside the file comes with a reload; one that repeats a device changes nothing"
    )
    func reload() throws {
        let bench = try Bench()
        try bench.startSimulator(
            scenario: """
                devices:
                  one: { kind: belt, address: "C0:FF:EE:00:00:01" }
                  two: { kind: belt, address: "C0:FF:EE:00:00:02" }
                """)
        let parts = bench.folder.file("conf.d")
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(parts)/\(name)"))
        }
        try write("10-one.yaml", "devices: { one: { family: belt, address: \"C0:FF:EE:00:00:01\" } }\n")
        try bench.startBridge(
            configuration: "groups: { hall: [one] }\n",
            environment: ["TACTILE_BRIDGE_BLUETOOTH_JOIN": "configured"])
        try bench.watcher.expect("one/availability", "online")

        try write("20-two.yaml", "devices:\n  two: { family: belt, address: \"C0:FF:EE:00:00:02\" }\n")
        try write("notes.txt", "the second one is in the hall\n")
        let reloaded = try bench.ask("bridge/test/request/reload", "")
        #expect(reloaded["added"] == ["two"])
        #expect(
            reloaded["ignored"] == [
                .string("\(parts)/notes.txt: ignored; allowed: a name that ends in .yaml or .yml")
            ])
        try bench.watcher.expect("two/availability", "online")

        try write("30-again.yaml", "\ndevices:\n  one: { family: belt, address: \"C0:FF:EE:00:00:02\" }\n")
        let answer = try bench.ask("bridge/test/request/reload", "")
        #expect(answer["code"] == "invalid_value")
        let mistake =
            "\(parts)/30-again.yaml:3:3: devices.one: given in \(parts)/10-one.yaml too, at 1:12; "
            + "allowed: once, in one of the two files"
        #expect(answer["message"]?.string?.contains(mistake) == true)
        #expect(try bench.ask("one/intensity/set", "60")["status"] == "ok")
    }
}
