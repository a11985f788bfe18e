import Foundation
import HostServices
import Testing

@testable import BridgeConfiguration

/// A separate folder for a test, and a loader with a fixed host.
struct ConfigurationScope {
    let folder: String

    /// Runs a body with an empty folder, which is removed afterwards.
    static func with<Result>(_ body: (ConfigurationScope) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(ConfigurationScope(folder: folder.path))
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Loads a configuration file with this text.
    func load(
        _ text: String, environment: [String: String] = [:], options: [String: (String, String)] = [:]
    ) throws(SettingsError) -> BridgeConfiguration.Configuration {
        let path: String
        do { path = try write("c.yaml", text) } catch { preconditionFailure("\(error)") }
        return try SettingsLoader(
            file: path, options: options.mapValues { (option: $0.0, word: $0.1) }, families: [LampFamily()],
            host: Host(environment: environment, name: "attic.example.org")
        ).load()
    }

    /// The problems of a configuration file, without the folder's path.
    func problems(_ text: String, environment: [String: String] = [:]) -> [String] {
        do {
            _ = try load(text, environment: environment)
            return []
        } catch {
            return error.problems.map { $0.description.replacing("\(folder)/", with: "") }
        }
    }
}
