import DeviceFiles
import Foundation

/// The device files that come with the bridge.
enum ShippedFiles {
    static let folder = Sample.folder.appending(path: "../../../config/devices")

    /// Their names, in the order of the alphabet.
    static let names = Result {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
            .sorted()
    }

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    static func file(_ name: String) throws -> DeviceFile { try DeviceFile.read(text(name), file: name).file }

    /// How often chance has a try at each: ten thousand times where the tests are optimized.
    static let tries: Int = {
        #if DEBUG
        200
        #else
        10_000
        #endif
    }()
}

/// The time that this thread has computed, whatever else runs on the host.
func computingTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
