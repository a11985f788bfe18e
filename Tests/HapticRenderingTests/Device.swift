import DeviceCatalog
import DeviceFiles
import DeviceKit
import HostServices

/// A family whose rendering the tests examine.
struct Device {
    var name: String
    var family: any DeviceFamily
    /// The number of samples of 10 ms over which curves are averaged before they are compared: the motor of a TAP is
    /// only on or off.
    var window: Int

    static let all: [Device] = [
        Device(name: "belt", family: BeltFamily(), window: 1),
        Device(name: "TAP", family: TapFamily(), window: 15),
        Device(name: "Buzz", family: buzz, window: 1),
    ]

    private static let buzz: any DeviceFamily = {
        do {
            let text = try FileAccess.read(Repository.path("config/devices/buzz.yaml"))
            return FileFamily(
                try DeviceFile.read(String(decoding: text, as: UTF8.self), file: "buzz.yaml").file)
        } catch { fatalError("\(error)") }
    }()
}
