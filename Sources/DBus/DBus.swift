// DBus: being built.
