/// What all commands are of.
package enum TactileBridge {
    /// The version of the commands and of their packages, after Semantic Versioning.
    package static let version = "0.2.0"
}
