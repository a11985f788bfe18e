public import DeviceKit

extension TapFamily {
    /// Its service, whatever its owner calls it; or its name, if it advertises no service or that of a keyboard.
    public var recognitions: [Recognition] {
        [
            Recognition(service: TapGATT.tapService),
            Recognition(name: TapGATT.namePrefix + "*", service: TapGATT.inputService),
            Recognition(name: TapGATT.namePrefix + "*"),
        ]
    }
}
