/// The program.
package enum TactileBridge {
    /// Its version.
    package static let version = "0.1.0"
}
