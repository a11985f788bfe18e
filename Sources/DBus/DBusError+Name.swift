extension DBusError {
    /// The error names of the D-Bus specification and of the reference implementation.
    public enum Name {
        /// A failure without a specific name.
        public static let failed = "org.freedesktop.DBus.Error.Failed"
        /// An argument is invalid.
        public static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
        /// The destination has no owner, and no program can be started for it.
        public static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
        /// The requested name has no owner.
        public static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
        /// No answer arrived.
        public static let noReply = "org.freedesktop.DBus.Error.NoReply"
        /// The object has no such method.
        public static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
        /// There is no such object.
        public static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
        /// The object has no such interface.
        public static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
        /// The interface has no such property.
        public static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
        /// The property cannot be set.
        public static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
        /// The bus denies the access.
        public static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
        /// The operation is not supported.
        public static let notSupported = "org.freedesktop.DBus.Error.NotSupported"
        /// The connection is gone.
        public static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
        /// No bus listens at the address.
        public static let noServer = "org.freedesktop.DBus.Error.NoServer"
        /// The address of the bus is invalid.
        public static let badAddress = "org.freedesktop.DBus.Error.BadAddress"
        /// There is not enough memory.
        public static let noMemory = "org.freedesktop.DBus.Error.NoMemory"
    }
}
