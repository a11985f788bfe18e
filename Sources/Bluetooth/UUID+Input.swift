extension UUID {
    /// The services by which a device is a keyboard, a mouse or the like to its host: the Human Interface Device service
    /// of GATT, and that of the classic radio (Assigned Numbers, 3.4.2 and 3.3).
    public static let inputServices: Set<UUID> = [0x1812, 0x1124]
}

extension Set<UUID> {
    /// What makes an input device of one that has these services, in words; nil if nothing does.
    public var inputComplaint: String? {
        let input = intersection(UUID.inputServices)
        guard !input.isEmpty else { return nil }
        let names = input.sorted().map { Hex.string(UInt64($0.short ?? 0), digits: 4) }
        return "it is a keyboard or the like too (service \(names.joined(separator: " and ")))"
    }
}
