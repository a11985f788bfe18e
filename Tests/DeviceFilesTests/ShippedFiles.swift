import Bluetooth
import DeviceFiles
import DeviceKit
import Foundation

/// The device files that come with the bridge.
enum ShippedFiles {
    static let folder = Sample.folder.appending(path: "../../../config/devices")

    /// The file names, in alphabetical order.
    static let names = Result {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
            .sorted()
    }

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    static func file(_ name: String) throws -> DeviceFile { try DeviceFile.read(text(name), file: name).file }

    /// The number of random tests for each file: ten thousand in optimized builds.
    static let tries: Int = {
        #if DEBUG
        200
        #else
        10_000
        #endif
    }()
}

extension DeviceFamily {
    /// The inputs that follow from an effect if the device answers every operation.
    func answers(to effect: Effect, memory: inout [CharacteristicID: [UInt8]]) -> [Input] {
        guard let operation = LinkOperation(effect) else { return [] }
        let reply = reply(to: operation, memory: &memory)
        let notifications = reply.notifications.map { Input.notification($0.key, $0.value) }
        switch operation {
        case .write(let write):
            return [.writeCompleted(write.token, write.characteristic, .success(()))] + notifications
        case .read(let id): return [.readCompleted(id, .success(reply.value))] + notifications
        case .subscribe(let id): return [.subscribed(id, .success(()))] + notifications
        case .unsubscribe: return notifications
        }
    }
}

/// The CPU time of this thread, which does not depend on other programs on the host.
func computingTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
