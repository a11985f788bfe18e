import Bluetooth
import DeviceCatalog
import DeviceKit
import HostServices
import JSON
import Testing
import VirtualDevices

@testable import DeviceFiles

/// A family whose rendering the tests examine.
struct Device: Sendable, CustomTestStringConvertible {
    var name: String
    var family: any DeviceFamily
    /// The number of samples of 10 ms over which curves are averaged before they are compared: the motor of a TAP is
    /// only on or off.
    var window = 1
    /// Creates a device with a connection.
    var makeWorn: @Sendable () -> Worn

    var testDescription: String { name }

    static let all: [Device] = [belt, tap, buzz]

    /// A belt in app mode, in which it plays several places at once.
    static let belt = Device(name: "belt", family: BeltFamily()) {
        var choices = VirtualBelt.Choices()
        choices.waitSignalPeriod = nil
        var worn = Worn(BeltFamily(), .belt(choices))
        worn.command("mode", ["mode": "app"])
        worn.run(.seconds(1))
        return worn
    }

    static let tap = Device(name: "TAP", family: TapFamily(), window: 15) { Worn(TapFamily(), .tap(.init())) }

    /// A wristband whose command contains the strengths of its motors in Base64. Below 30, nothing is felt.
    static let buzz = Device("Buzz", file: "buzz.yaml") { write in
        let words = String(decoding: write.value, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 3, words[1] == "vibrate" else { return nil }
        return Base64.bytes(of: String(words[2]))?.first.map { max(0, (Double($0) - 30) / 225) }
    }

    /// A tag with two strengths, each for at least 200 ms.
    static let finder = Device("finder", file: "finder.yaml") { Double($0.value[0]) / 2 }

    private init(
        name: String, family: any DeviceFamily, window: Int = 1, makeWorn: @escaping @Sendable () -> Worn
    ) {
        (self.name, self.family, self.window, self.makeWorn) = (name, family, window, makeWorn)
    }

    private init(_ name: String, file: String, strengthOfWrite: @escaping @Sendable (Write) -> Double?) {
        do {
            let text = try FileAccess.read(Repository.path("config/devices/\(file)"))
            let content = try DeviceFile.read(String(decoding: text, as: UTF8.self), file: file).file
            let family = FileFamily(content)
            self.init(name: name, family: family) {
                Worn(family, .file(.init(content)), strengthOfWrite: strengthOfWrite)
            }
        } catch { fatalError("\(error)") }
    }
}
