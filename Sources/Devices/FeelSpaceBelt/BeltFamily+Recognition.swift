public import DeviceKit

extension BeltFamily {
    /// The name prefix, together with one of two services: other products advertise these services too.
    public var recognitions: [Recognition] {
        [BeltGATT.advertisedService, BeltGATT.controlService].map {
            Recognition(name: BeltGATT.namePrefix + "*", ignoresCase: true, service: $0)
        }
    }
}
