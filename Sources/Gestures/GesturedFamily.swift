package import Bluetooth
package import DeviceKit
package import JSON

/// A family that recognizes gestures in the events of another family. It adds the event `action`, the state
/// `action_layer`, and the settings `gestures` and `pair` to the other family.
package struct GesturedFamily: DeviceFamily {
    /// The name of the event that reports a gesture.
    package static let action = "action"
    /// The name of the state with the layer that applies.
    package static let layer = "action_layer"
    /// The name of the setting that selects a gesture file.
    package static let setting = "gestures"
    /// The name of the setting that selects the other device of a pair.
    package static let pair = "pair"
    /// The value of the setting that selects no gesture file.
    package static let none = "none"

    /// The family to which this family adds gestures.
    package let base: any DeviceFamily
    let maps: [(name: String, map: GestureMap)]
    let inputs: GestureInputs

    /// Adds gestures to a family.
    ///
    /// - Parameters:
    ///   - base: The family. It must have no features and no settings with the names of this family.
    ///   - maps: The gestures by the name of their file, for at least one file. Devices use the first file by default.
    package init(_ base: any DeviceFamily, _ maps: [(name: String, map: GestureMap)]) {
        self.base = base
        self.maps = maps
        inputs = GestureInputs(base.features)
    }

    package var features: [Feature] {
        var actions: [String] = []
        for action in maps.flatMap(\.map.actions) where !actions.contains(action) { actions.append(action) }
        let example = maps[0].map.layers.flatMap(\.gestures).first { $0.action != nil }
        let event = Feature(
            Self.action, "A gesture of a gesture file was made.",
            report: Report(
                .event,
                [
                    Field("action", .choice(actions), "The action of the gesture."),
                    Field("layer", .text(1...64), "The layer in which it was made."),
                    Field(
                        "inputs", .list(.text(1...256), count: 1...8),
                        "What was done, in order; of a private event only the name."),
                ],
                example: Self.event(
                    example?.action ?? "", maps[0].map.layers[0].name,
                    (example?.inputs ?? []).map(inputs.shown))),
            shown: [.happening("Action", by: ["action"], verb: "made", icon: "gesture")])
        var layers = [Self.none]
        for layer in maps.flatMap(\.map.layers) where !layers.contains(layer.name) {
            layers.append(layer.name)
        }
        let layer = Feature(
            Self.layer, "The layer of gestures that applies; none without gestures.",
            report: Report(.state, .choice(layers), example: .string(maps[0].map.layers[0].name)),
            shown: [.reading("Action layer", icon: "layers-outline")])
        return base.features + [event, layer]
    }

    package var settings: [Field] {
        base.settings + [
            Field(
                Self.setting, .choice([Self.none] + maps.map(\.name)), default: .string(maps[0].name),
                "The gesture file whose gestures are recognized."),
            Field(
                Self.pair, .text(0...200), default: "",
                "The device whose gestures the events of this device also belong to, as other, such as tap/left; "
                    + "none if empty."),
        ]
    }

    package func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        let name = context.settings.text(Self.setting) ?? maps[0].name
        let map = maps.first { $0.name == name }?.map
        let pair = context.settings.text(Self.pair).flatMap { $0.isEmpty ? nil : $0 }
        return GesturedMachine(base.makeMachine(context), inputs, map ?? .empty, pair: pair)
    }

    /// The revision of the family, which changes if a gesture file changes.
    package var revision: String {
        "\(base.revision) gestures \(maps.map { "\($0.name) \($0.map.hashValue)" })"
    }

    static func event(_ action: String, _ layer: String, _ inputs: [String]) -> JSON.Value {
        [
            "action": .string(action), "layer": .string(layer),
            "inputs": .array(inputs.map { .string($0) }),
        ]
    }
}

// Forwards all other properties to the family ``base``.
extension GesturedFamily {
    package var name: String { base.name }
    package var displayName: String { base.displayName }
    package var naming: Naming { base.naming }
    package var plural: String { base.plural }
    package var fault: String? { base.fault }
    package var source: FamilySource { base.source }
    package var recognitions: [Recognition] { base.recognitions }
    package var joinsUnnamed: Bool { base.joinsUnnamed }
    package var advertising: Advertising? { base.advertising }
    package func visiting(_ settings: Arguments) -> Visiting? { base.visiting(settings) }
    package var serviceData: Set<UUID> { base.serviceData }
    package var companies: Set<UInt16> { base.companies }
    package func refusal(of advertisement: Advertisement, _ settings: Arguments) -> DeviceFailure? {
        base.refusal(of: advertisement, settings)
    }
    package var connectsOnRequest: Bool { base.connectsOnRequest }
    package var requirements: LinkRequirements { base.requirements }
    package var changeableSettings: [String] { base.changeableSettings }
    package var privateCharacteristics: Set<CharacteristicID> { base.privateCharacteristics }
    package var latching: Latching? { base.latching }
    package var handedOver: [String] { base.handedOver }
    package func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        base.takesFromGroup(feature, arguments)
    }
    package func handOverTime(_ settings: Arguments) -> Duration? { base.handOverTime(settings) }
    package func isHandedOver(_ feature: String, _ value: JSON.Value) -> Bool {
        base.isHandedOver(feature, value)
    }
    package func motionLimits(_ settings: Arguments) -> MotionGate.Limits? { base.motionLimits(settings) }
    package func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        base.motionRequest(feature, arguments)
    }
    package func recognises(_ advertisement: Advertisement) -> Bool { base.recognises(advertisement) }
    package func rank(of advertisement: Advertisement) -> MatchRank { base.rank(of: advertisement) }
    package func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply
    {
        base.reply(to: operation, memory: &memory)
    }
    package func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? {
        try base.preview(haptic: arguments)
    }
}
