public import DeviceKit

extension BeltFamily {
    /// The beginning of its name, with one of two services: other products advertise these too.
    public var recognitions: [Recognition] {
        [BeltGATT.advertisedService, BeltGATT.controlService].map {
            Recognition(name: BeltGATT.namePrefix + "*", ignoresCase: true, service: $0)
        }
    }
}
