extension DBusError {
    /// The error names of the D-Bus specification and of the reference implementation.
    public enum Name {
        /// Something failed that has no name of its own.
        public static let failed = "org.freedesktop.DBus.Error.Failed"
        /// An argument is wrong.
        public static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
        /// The name that was called has no owner, and no program can be started for it.
        public static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
        /// The name that was asked about has no owner.
        public static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
        /// No answer came.
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
        /// The bus does not allow it.
        public static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
        /// It is not supported.
        public static let notSupported = "org.freedesktop.DBus.Error.NotSupported"
        /// The connection is gone.
        public static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
        /// No bus listens at the address.
        public static let noServer = "org.freedesktop.DBus.Error.NoServer"
        /// The address of the bus cannot be understood.
        public static let badAddress = "org.freedesktop.DBus.Error.BadAddress"
        /// There is not enough memory.
        public static let noMemory = "org.freedesktop.DBus.Error.NoMemory"
    }
}
