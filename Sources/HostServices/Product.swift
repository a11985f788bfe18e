/// The product to which all commands belong, with its version.
package enum TactileBridge {
    /// The version of the commands and their packages, in the form of Semantic Versioning.
    package static let version = "0.2.0"
}
