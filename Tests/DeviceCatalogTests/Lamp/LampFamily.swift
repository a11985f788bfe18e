import Bluetooth
import DeviceKit
import JSON

/// A lamp with a button: the family that the guide builds.
struct LampFamily: DeviceFamily {
    let name = "lamp"
    let displayName = "Example lamp"
    let naming = Naming.each
    let requirements = LinkRequirements(required: [LampGATT.level, LampGATT.button])
    let settings: [Field] = []

    /// The features of every lamp.
    var features: [Feature] { [Self.level.feature, Self.pressed.feature] }

    /// How bright the lamp is, in percent.
    static let level = FeatureHandle<UInt8, OneArgument<UInt8>>(
        "level", "How bright the lamp is.",
        says: .state(.integer(0...100), unit: "%", example: 60),
        takes: .one("level", 0, .integer(0...100), unit: "%", "How bright.", example: 60),
        shown: { [.control("Brightness", of: Control($0.taken(\.value)), icon: "lightbulb")] })

    /// A press of the lamp's button.
    struct Press: Hashable, Sendable {
        var isLong: Bool
    }

    static let pressed = FeatureHandle<Press, Never>(
        "pressed", "The lamp's button was pressed.",
        says: .event(
            [.field("long", \.isLong, .boolean, "Whether it was held.")], example: Press(isLong: false)),
        shown: { _ in [.happening("Button", verb: "pressed", meaning: .button)] })

    /// Whether the device is a lamp: it advertises the service of lamps.
    func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.services.contains(LampGATT.service)
    }

    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { LampMachine() }

    /// A working lamp is at 42 % when it is read, and notifies each new level.
    func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply {
        switch operation {
        case .read: DeviceReply(value: [42])
        case .write(let write): DeviceReply(notifications: [LampGATT.level: write.value])
        case .subscribe, .unsubscribe: DeviceReply()
        }
    }
}

/// The lamp's characteristics.
enum LampGATT {
    static let service: UUID = 0xAB00
    /// The level in percent, one byte: read, written, notified.
    static let level = CharacteristicID(service: service, uuid: 0xAB01)
    /// A press, one byte, 1 for a long press: notified.
    static let button = CharacteristicID(service: service, uuid: 0xAB02)
}
