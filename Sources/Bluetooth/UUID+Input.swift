extension UUID {
    /// The services by which a device is a keyboard, a mouse or the like to its host: the Human Interface Device service
    /// of GATT, and that of the classic radio (Assigned Numbers, 3.4.2 and 3.3).
    public static let inputServices: Set<UUID> = [0x1812, 0x1124]
}
