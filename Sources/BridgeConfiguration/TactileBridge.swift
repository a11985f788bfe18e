/// The program.
package enum TactileBridge {
    package static let version = "0.1.0"
}
