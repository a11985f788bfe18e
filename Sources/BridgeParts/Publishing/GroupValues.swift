import DeviceKit
package import JSON

/// The values of a device on which the states of its groups depend.
package struct GroupValues: Hashable, Sendable {
    /// The battery level in percent; nil if the device does not report it.
    package private(set) var battery: Double?
    /// Whether the device plays a haptic pattern.
    package private(set) var isPlaying = false

    package init() {}

    /// Records the value of a feature; nil if the value is withdrawn.
    ///
    /// - Returns: Whether this changes the states of groups.
    package mutating func note(_ value: JSON.Value?, of feature: String, in features: FeatureTable) -> Bool {
        let former = self
        if feature == Feature.hapticName { isPlaying = value?["playing"]?.string != nil }
        if let (name, field) = features.battery, name == feature {
            battery = field.map { value?[$0]?.double } ?? value?.double
        }
        return self != former
    }
}
