public import DeviceKit

extension TapFamily {
    /// The service, whatever the name; or the name, if the device advertises no service or a keyboard service.
    public var recognitions: [Recognition] {
        [
            Recognition(service: TapGATT.tapService),
            Recognition(name: TapGATT.namePrefix + "*", service: TapGATT.inputService),
            Recognition(name: TapGATT.namePrefix + "*"),
        ]
    }
}
