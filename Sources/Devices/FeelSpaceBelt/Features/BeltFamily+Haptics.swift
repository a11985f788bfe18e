import DeviceKit
import JSON

extension BeltFamily {
    static let hapticFeatures = [
        Feature.haptic(
            place: (placeFields(.belt), [onePlace]),
            example: ["pattern": "gradual", "intensity": 0.6, "direction": 90])
    ]
}
