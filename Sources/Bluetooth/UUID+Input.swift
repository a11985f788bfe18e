extension UUID {
    /// The services that make a device a keyboard, a mouse or a similar input device: the Human Interface Device
    /// service of GATT, and its counterpart in Bluetooth Classic (Assigned Numbers, 3.4.2 and 3.3).
    public static let inputServices: Set<UUID> = [0x1812, 0x1124]
}

extension Set<UUID> {
    /// Explains why a device with these services is an input device; nil if it is not.
    public var inputComplaint: String? {
        let input = intersection(UUID.inputServices)
        guard !input.isEmpty else { return nil }
        let names = input.sorted().map { Hex.string(UInt64($0.short ?? 0), digits: 4) }
        return "it is also an input device, such as a keyboard (service \(names.joined(separator: " and ")))"
    }
}
