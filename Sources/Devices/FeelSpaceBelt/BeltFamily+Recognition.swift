public import DeviceKit

extension BeltFamily {
    /// A belt is recognized by its name prefix together with one of two services. The services alone are not
    /// sufficient, because other products advertise them too.
    public var recognitions: [Recognition] {
        [BeltGATT.advertisedService, BeltGATT.controlService].map {
            Recognition(name: BeltGATT.namePrefix + "*", ignoresCase: true, service: $0)
        }
    }
}
