import DeviceKit
import JSON

extension BeltFamily {
    /// The arguments that a belt adds to `haptic`: the place of the vibration.
    struct HapticCommand: BeltPlaced {
        var place = BeltPlaceArguments()
    }

    /// The declaration of the keys that a belt adds to `haptic`, which give the place of the vibration.
    static let hapticPlace = FeatureHandle<Never, HapticCommand>(
        Feature.hapticName, "Plays a pattern at a place.",
        takes: Taking(
            HapticCommand(), HapticCommand.placeFields, rules: [HapticCommand.onePlace],
            example: .object(HapticCommand(place: BeltPlaceArguments(direction: 90)))))

    static let hapticFeatures = [
        Feature.haptic(
            place: (hapticPlace.feature.command?.fields ?? [], hapticPlace.feature.command?.rules ?? []),
            example: ["pattern": "gradual", "intensity": 0.6, "direction": 90])
    ]
}
