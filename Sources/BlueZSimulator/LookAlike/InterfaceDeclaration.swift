import DBus

/// The methods and properties of a BlueZ interface, as introspection shows them.
struct InterfaceDeclaration: Sendable {
    typealias MethodTypes = (name: String, takes: Signature, returns: Signature)
    typealias PropertyTypes = (name: String, type: ValueType, isWritable: Bool)

    var methods: [MethodTypes] = []
    var properties: [PropertyTypes] = []

    /// All declarations, by the interface's name.
    static let all: [String: Self] = [
        BlueZName.agentManager: Self(methods: [
            ("RegisterAgent", "os", ""), ("UnregisterAgent", "o", ""), ("RequestDefaultAgent", "o", ""),
        ]),
        BlueZName.profileManager: Self(methods: [
            ("RegisterProfile", "osa{sv}", ""), ("UnregisterProfile", "o", ""),
        ]),
        BlueZName.adapter: adapter,
        BlueZName.gattManager: Self(methods: [
            ("RegisterApplication", "oa{sv}", ""), ("UnregisterApplication", "o", ""),
        ]),
        BlueZName.advertisingManager: Self(
            methods: [("RegisterAdvertisement", "oa{sv}", ""), ("UnregisterAdvertisement", "o", "")],
            properties: [
                ("ActiveInstances", "y", false), ("SupportedInstances", "y", false),
                ("SupportedIncludes", "as", false), ("SupportedSecondaryChannels", "as", false),
            ]),
        BlueZName.device: device,
        BlueZName.battery: Self(properties: [("Percentage", "y", false), ("Source", "s", false)]),
        BlueZName.gattService: Self(properties: [
            ("UUID", "s", false), ("Device", "o", false), ("Primary", "b", false), ("Includes", "ao", false),
        ]),
        BlueZName.characteristic: Self(
            methods: [
                ("ReadValue", "a{sv}", "ay"), ("WriteValue", "aya{sv}", ""), ("AcquireWrite", "a{sv}", "hq"),
                ("AcquireNotify", "a{sv}", "hq"), ("StartNotify", "", ""), ("StopNotify", "", ""),
            ],
            properties: [
                ("UUID", "s", false), ("Service", "o", false), ("Value", "ay", false),
                ("Notifying", "b", false),
                ("Flags", "as", false), ("WriteAcquired", "b", false), ("NotifyAcquired", "b", false),
                ("MTU", "q", false),
            ]),
        BlueZName.descriptor: Self(
            methods: [("ReadValue", "a{sv}", "ay"), ("WriteValue", "aya{sv}", "")],
            properties: [("UUID", "s", false), ("Characteristic", "o", false), ("Value", "ay", false)]),
    ]

    private static let adapter = Self(
        methods: [
            ("StartDiscovery", "", ""), ("SetDiscoveryFilter", "a{sv}", ""), ("StopDiscovery", "", ""),
            ("RemoveDevice", "o", ""), ("GetDiscoveryFilters", "", "as"),
        ],
        properties: [
            ("Address", "s", false), ("AddressType", "s", false), ("Name", "s", false), ("Alias", "s", true),
            ("Class", "u", false), ("Powered", "b", true), ("Discoverable", "b", true),
            ("DiscoverableTimeout", "u", true), ("Pairable", "b", true), ("PairableTimeout", "u", true),
            ("Discovering", "b", false), ("UUIDs", "as", false), ("Modalias", "s", false),
            ("Roles", "as", false),
        ])

    private static let device = Self(
        methods: [
            ("Disconnect", "", ""), ("Connect", "", ""), ("ConnectProfile", "s", ""),
            ("DisconnectProfile", "s", ""), ("Pair", "", ""), ("CancelPairing", "", ""),
        ],
        properties: [
            ("Address", "s", false), ("AddressType", "s", false), ("Name", "s", false), ("Alias", "s", true),
            ("Class", "u", false), ("Appearance", "q", false), ("Icon", "s", false), ("Paired", "b", false),
            ("Bonded", "b", false), ("Trusted", "b", true), ("Blocked", "b", true),
            ("LegacyPairing", "b", false), ("RSSI", "n", false), ("Connected", "b", false),
            ("UUIDs", "as", false), ("Modalias", "s", false), ("Adapter", "o", false),
            ("ManufacturerData", "a{qv}", false), ("ServiceData", "a{sv}", false), ("TxPower", "n", false),
            ("ServicesResolved", "b", false), ("WakeAllowed", "b", false),
        ])
}
