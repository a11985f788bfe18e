import DeviceKit
import JSON

extension BeltFamily {
    /// What `haptic` takes of a belt besides the pattern: where it is felt.
    struct HapticCommand: BeltPlaced {
        var place = BeltPlaceArguments()
    }

    /// The keys of `haptic` that say where.
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
