import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// Recordings of the traffic between the bridge and the devices.
extension Bridge {
    /// The interval at which recorded lines are written to the file.
    private static let recordingPeriod = Duration.milliseconds(100)

    // MARK: Start

    /// Starts the recording that the command line requests.
    func beginRecordingFromStart() {
        guard let recording = ports.recordingFromStart else { return }
        startRecorder(
            RecordingDesk.Running(file: recording.file),
            Recorder.Scope(includesPrivate: recording.includesPrivate))
    }

    /// Carries out the request `record`: starts or stops a recording.
    func record(_ asked: BridgeFeatures.Record, _ pending: PendingRequest) throws(CommandError) {
        let seconds = asked.seconds
        guard seconds > 0 else {
            guard recordings.wait(pending) else { return answer(pending, .ok(["seconds": 0])) }
            return spawn { await $0.endRecording(.request) }
        }
        guard let store = ports.recordings else {
            throw CommandError(.notSupported, "this bridge has no folder for recordings")
        }
        let scope = Recorder.Scope(
            devices: try addresses(asked.devices), includesPrivate: asked.isPrivate)
        guard recordings.isOff else { throw CommandError(.busy, recordings.complaint) }
        recordings.open()
        spawn { await $0.beginRecording(scope, .seconds(seconds), in: store, pending) }
    }

    private func addresses(_ names: [String]?) throws(CommandError) -> Set<Address>? {
        guard let names else { return nil }
        var addresses: Set<Address> = []
        for name in names {
            guard let session = fleet.session(named: name) else {
                let known = fleet.names.all.joined(separator: " ")
                throw CommandError(
                    .unknownDevice, "devices: \(name): not a device of this bridge; allowed: \(known)")
            }
            addresses.insert(session.address)
        }
        return addresses
    }

    private func beginRecording(
        _ scope: Recorder.Scope, _ length: Duration, in store: any RecordingStore, _ pending: PendingRequest
    ) async {
        do throws(RecordingFailure) {
            let file = try await store.begin(at: ports.time.date)
            let date = TimeStamp(
                milliseconds: ports.time.date.milliseconds + Int64(length.components.seconds) * 1000)
            let running = RecordingDesk.Running(file: file, end: (ports.time.now + length, date))
            let standing = startRecorder(running, scope)
            answer(
                pending,
                .ok([
                    "path": .string(file.path), "seconds": .integer(Int(length.components.seconds)),
                    "until": .string(date.description), "private": .bool(scope.includesPrivate),
                    "standing": .array(standing.map { .string($0) }),
                ]))
        } catch {
            recordings.failed()
            refuse(pending, CommandError(.internal, "the recording cannot be written: \(error)"))
            for waiter in recordings.ended() { answer(waiter, .ok(["seconds": 0])) }
        }
    }

    /// Starts the recorder.
    ///
    /// - Returns: The names of the devices that are already connected. The recording does not contain the start of
    ///   their connections.
    @discardableResult
    private func startRecorder(_ running: RecordingDesk.Running, _ scope: Recorder.Scope) -> [String] {
        recordings.began(running)
        recorder.begin(
            scope,
            header: [
                "contract": .integer(BridgeFeatures.contract), "bridge": .string(settings.id),
                "version": .string(settings.version), "time": .string(ports.time.date.description),
            ], at: ports.time.now)
        let standing = fleet.inOrder.filter { $0.link != nil && recorder.takes($0.address) }
        for session in standing { session.tapeStandingLink() }
        logger.notice(
            "recording started",
            metadata: ["path": "\(running.file.path)", "private": "\(scope.includesPrivate)"])
        reportEvent("recording_began", ["path": .string(running.file.path)])
        armRecording()
        return standing.map(\.name)
    }

    // MARK: Writing

    private func armRecording() {
        guard let running = recordings.running else { return }
        let next = ports.time.now + Self.recordingPeriod
        startTimer(.recording, at: running.end.map { min($0.moment, next) } ?? next)
    }

    /// Writes what was recorded, and ends the recording when its time is over.
    func recordingIsDue() {
        guard let running = recordings.running else { return }
        if let end = recorder.end ?? running.end.flatMap({ ports.time.now >= $0.moment ? .time : nil }) {
            return spawn { await $0.endRecording(end) }
        }
        armRecording()
        guard recordings.beginWrite() else { return }
        let bytes = recorder.take()
        guard !bytes.isEmpty else { return recordings.endWrite() }
        spawn { await $0.write(bytes, to: running.file) }
    }

    private func write(_ bytes: [UInt8], to file: any RecordingFile) async {
        do throws(RecordingFailure) {
            try await file.append(bytes)
            recordings.endWrite()
        } catch {
            recordings.endWrite()
            await endRecording(.disk(error.description))
        }
    }

    // MARK: End

    func endRecording(_ reason: RecordingEnd) async {
        guard let running = recordings.beginEnd() else { return }
        timers.cancel(.recording)
        var reason = reason
        let rest = recorder.finish(reason, at: ports.time.now)
        let length = recorder.length
        do throws(RecordingFailure) {
            // If the file could not be written, the rest cannot be written either.
            if case .disk = reason {} else { try await running.file.append(rest) }
        } catch {
            reason = .disk(error.description)
        }
        await running.file.close()
        ended(running, reason, bytes: length.bytes, lines: length.lines)
    }

    private func ended(_ running: RecordingDesk.Running, _ end: RecordingEnd, bytes: Int, lines: Int) {
        var details: JSON.Object = [
            "path": .string(running.file.path), "bytes": .integer(bytes), "lines": .integer(lines),
            "reason": .string(end.word),
        ]
        var metadata: Logger.Metadata = [
            "path": "\(running.file.path)", "bytes": "\(bytes)", "reason": "\(end.word)",
        ]
        if case .disk(let message) = end {
            details["message"] = .string(message)
            metadata["error"] = "\(message)"
            logger.error("a recording ended early: its file cannot be written", metadata: metadata)
        } else {
            logger.notice("recording ended", metadata: metadata)
        }
        for waiter in recordings.ended() {
            answer(waiter, .ok(JSON.Object([("seconds", 0)] + details.members.map { ($0.key, $0.value) })))
        }
        if stage != .silent { reportEvent("recording_ended", details) }
    }
}
