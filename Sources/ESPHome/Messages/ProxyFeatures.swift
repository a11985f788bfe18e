/// The capabilities of a Bluetooth proxy.
public struct ProxyFeatures: OptionSet, Hashable, Sendable {
    /// The bits of the protocol.
    public let rawValue: UInt32

    /// Creates a set from the protocol's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The proxy forwards advertisements.
    public static let scan = Self(rawValue: 1 << 0)
    /// The proxy connects to devices.
    public static let connect = Self(rawValue: 1 << 1)
    /// The proxy can connect with or without its cached services. It leaves to the client to write the descriptors with
    /// which devices enable notifications.
    public static let remoteCache = Self(rawValue: 1 << 2)
    /// The proxy pairs with devices.
    public static let pair = Self(rawValue: 1 << 3)
    /// The proxy can clear its cache of services.
    public static let clearCache = Self(rawValue: 1 << 4)
    /// The proxy forwards advertisements in raw form.
    public static let rawAdvertisements = Self(rawValue: 1 << 5)
    /// The proxy reports the state of its scanner, and can change the scanner's mode.
    public static let scannerState = Self(rawValue: 1 << 6)
    /// The proxy can change the parameters of connections.
    public static let parameters = Self(rawValue: 1 << 7)
}

extension DeviceInfo {
    /// The capabilities of the proxy.
    public var proxyFeatures: ProxyFeatures {
        guard features == 0, legacyProxyVersion > 0 else { return ProxyFeatures(rawValue: features) }
        // The versions 1 to 5 of firmware with an API below 1.9, each with the features of the lower versions
        // (`model.py` of aioesphomeapi): 1 scans, 2 connects, 3 has a remote cache, 4 pairs, 5 clears its cache.
        return ProxyFeatures(rawValue: (1 << min(legacyProxyVersion, 5)) - 1)
    }
}
