public import DeviceKit

extension TapFamily {
    /// A TAP is recognized by its service, with any name. The name is enough if the device advertises no service, or
    /// a keyboard service.
    public var recognitions: [Recognition] {
        [
            Recognition(service: TapGATT.tapService),
            Recognition(name: TapGATT.namePrefix + "*", service: TapGATT.inputService),
            Recognition(name: TapGATT.namePrefix + "*"),
        ]
    }
}
