import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceKit
import JSON

/// A family of devices that only advertise: the first byte of the service data is the level, and 255 is unusable.
struct BeaconFamily: DeviceFamily {
    static let service: UUID = 0xFCD2
    let name = "sample"
    let displayName = "Sample beacon"
    let naming = Naming.single
    let requirements = LinkRequirements(required: [])
    let settings = [Field("greeting", .text(0...20), default: "hello", "Not used.")]
    let features = [
        Feature("level", "A level.", report: Report(.state, .integer(0...255), example: 60)),
        Feature(
            "news", "A level that has just arrived.", report: Report(.stream, .integer(0...255), example: 60)),
    ]
    var advertising: Advertising? = Advertising(silence: .seconds(600))
    var hasKey = true
    let serviceData: Set<UUID> = [service]
    let companies: Set<UInt16> = [0x0499]
    let recognitions = [Recognition(company: 0x004C), Recognition(serviceData: 0xFEAA)]

    func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.serviceData[Self.service] != nil
    }
    func refusal(of advertisement: Advertisement, _ settings: Arguments) -> DeviceFailure? {
        hasKey ? nil : DeviceFailure(.handshake, "the key is missing")
    }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private struct Machine: DeviceMachine {
        var isReady = false
        let will = Will.none

        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
            switch input {
            case .advertised(let broadcast):
                guard let level = broadcast.serviceData[BeaconFamily.service]?.first else { return }
                guard level != 255 else {
                    return effects.append(.fail(DeviceFailure(.handshake, "the key is missing")))
                }
                if !isReady { effects.append(.ready) }
                isReady = true
                effects.publish("level", .integer(Int(level)))
                if !broadcast.isCached { effects.publish("news", .integer(Int(level))) }
            case .disconnected: isReady = false
            case .close: effects.append(.disconnect)
            default: break
            }
        }
    }
}

/// Lets a bridge receive an advertisement of the beacon.
func advertise(_ level: UInt8, to bench: TestBridge, rssi: Int = -60, more: [UUID: [UInt8]] = [:]) {
    bench.radio.hear(
        Advertisement(
            address: BridgeSettings.sample,
            serviceData: [BeaconFamily.service: [level]].merging(more) { first, _ in first }, rssi: rssi))
}
