extension ObjectTree {
    /// Returns the introspection XML of a path and its children, in the format of the D-Bus specification.
    func introspection(of path: ObjectPath) -> String {
        var lines = [
            #"<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN""#,
            #""http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">"#,
            "<node>",
        ]
        lines += Self.lines(
            BusName.introspectable, methods: [("Introspect", "", "s")])
        if let object = objects[path] {
            for name in object.order {
                if let interface = object.interfaces[name] { lines += Self.lines(interface.declaration) }
            }
            lines += Self.lines(
                BusName.properties,
                methods: [("Get", "ss", "v"), ("Set", "ssv", ""), ("GetAll", "s", "a{sv}")],
                signals: [("PropertiesChanged", "sa{sv}as")])
        }
        if hasManager(at: path) {
            lines += Self.lines(
                BusName.objectManager, methods: [("GetManagedObjects", "", "a{oa{sa{sv}}}")],
                signals: [("InterfacesAdded", "oa{sa{sv}}"), ("InterfacesRemoved", "oas")])
        }
        lines += children(of: path).map { "  <node name=\"\($0)\"/>" }
        lines.append("</node>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ interface: Interface) -> [String] {
        lines(
            interface.name,
            methods: interface.methods.map { ($0.name, $0.takes, $0.returns) },
            signals: interface.signals.map { ($0.name, $0.carries) }, properties: interface.properties)
    }

    private static func lines(
        _ name: String, methods: [(String, Signature, Signature)],
        signals: [(String, Signature)] = [], properties: [Property] = []
    ) -> [String] {
        var lines = ["  <interface name=\"\(name)\">"]
        for (method, takes, returns) in methods {
            lines.append("    <method name=\"\(method)\">")
            lines += takes.types.map { "      <arg type=\"\($0)\" direction=\"in\"/>" }
            lines += returns.types.map { "      <arg type=\"\($0)\" direction=\"out\"/>" }
            lines.append("    </method>")
        }
        for (signal, carries) in signals {
            lines.append("    <signal name=\"\(signal)\">")
            lines += carries.types.map { "      <arg type=\"\($0)\"/>" }
            lines.append("    </signal>")
        }
        for property in properties {
            let head =
                "    <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(property.access.rawValue)\""
            guard property.emits != .value else {
                lines.append(head + "/>")
                continue
            }
            lines.append(head + ">")
            lines.append(
                "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" "
                    + "value=\"\(property.emits.rawValue)\"/>")
            lines.append("    </property>")
        }
        return lines + ["  </interface>"]
    }
}
