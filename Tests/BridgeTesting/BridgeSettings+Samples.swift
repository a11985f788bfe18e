public import Bluetooth
public import BridgeContract
import DeviceKit
import JSON

extension BridgeSettings {
    /// The address of the sample device.
    public static let sample: Address = "AA:BB:CC:A1:B2:C3"

    /// The settings of a bridge with one configured device `sample`.
    public static func oneDevice(_ bridge: String = "attic", join: JoinPolicy = .permit) -> BridgeSettings {
        BridgeSettings(
            id: bridge, join: join,
            devices: [
                Device(
                    name: "sample", family: "sample", address: sample, settings: ["greeting": "hello"])
            ], families: ["sample": ["greeting": ""]], version: "1.0",
            host: "attic.example")
    }

    /// The settings of a bridge without configured devices.
    public static func empty(_ bridge: String = "attic", join: JoinPolicy = .permit) -> BridgeSettings {
        BridgeSettings(id: bridge, join: join, families: ["sample": ["greeting": ""]], version: "1.0")
    }
}
