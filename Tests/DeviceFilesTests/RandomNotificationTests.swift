import Bluetooth
import DeviceFiles
import DeviceKit
import HostTesting
import JSON
import Testing

@Suite("Random notifications for shipped files")
struct RandomNotificationTests {
    @Test(
        "The machine writes only to declared characteristics, publishes declared values, and stays small",
        arguments: try ShippedFiles.names.get())
    func notifications(_ name: String) throws {
        let file = try ShippedFiles.file(name)
        var device = RandomDevice(file, seed: UInt64(name.utf8.count))
        device.connect()
        #expect(device.isReady || file.connecting == .never, "the device is not set up")
        var early = 0
        for round in 0..<ShippedFiles.tries {
            device.notify()
            #expect(device.complaints == [])
            guard device.complaints.isEmpty else { return }
            if round == 150 { early = device.size }
        }
        #expect(device.publications > 0 && device.isReady)
        // The machine may store the longest incomplete line, and the last values of features with several
        // characteristics.
        #expect(
            device.size < early + 16 * CharacteristicEntry.Lines.limit, "it grows: \(early), \(device.size)")
    }
}

/// A machine of a shipped file that receives random notifications.
private struct RandomDevice {
    private(set) var complaints: [String] = []
    private(set) var isReady = false
    private(set) var publications = 0
    private let family: FileFamily
    private var machine: any DeviceMachine
    private var random: RandomSource
    private var memory: [CharacteristicID: [UInt8]] = [:]
    private var now = Duration.zero
    /// The notifications in the file's examples. Most random bytes alone would not fit.
    private let samples: [(index: Int, bytes: [UInt8])]
    private let features: [String: Feature]

    init(_ file: DeviceFile, seed: UInt64) {
        family = FileFamily(file)
        machine = family.makeMachine(DeviceContext(address: "AA:BB:CC:DD:EE:FF"))
        random = RandomSource(seed: seed)
        features = Dictionary(family.features.map { ($0.name, $0) }) { first, _ in first }
        samples = file.examples.flatMap(\.steps).flatMap { step -> [(index: Int, bytes: [UInt8])] in
            switch step.action {
            case .notify(let index, let bytes), .read(let index, let bytes), .advertise(let index, let bytes):
                [(index, bytes)]
            case .visit(let reads): reads.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            default: []
            }
        }
    }

    /// The size of the machine's state: the length of its description.
    var size: Int { String(describing: machine).utf8.count }

    mutating func connect() {
        let table = Dictionary(
            family.file.characteristics.map { ($0.id, [.read, .write, .notify] as CharacteristicProperties) }
        ) { first, _ in first }
        feed(.connected(LinkProfile(characteristics: table, mtu: 247)))
    }

    /// Sends random bytes from a characteristic of the file or from an unknown characteristic.
    mutating func notify() {
        now += .milliseconds(Int.random(in: 0...30, using: &random))
        var index = family.file.characteristics.indices.randomElement(using: &random)
        var bytes: [UInt8]
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            index = nil
            bytes = random.bytes(atMost: 20)
        case 1: bytes = random.bytes(atMost: 244)
        case 2: bytes = random.bytes(atMost: 20)
        case 3:
            bytes = Array("\u{1B}[2J\u{0}\u{7F}\u{2028}ok\r\n".utf8) + [0xC3, 0x28, 0xFF, 0x0A]
        default:
            guard let sample = samples.randomElement(using: &random) else { return }
            (index, bytes) = sample
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
        }
        let count = feed(input(index, bytes))
        // Each byte could be a separate line, and each feature could publish it.
        let most = (bytes.count + 1) * (family.features.count + 2)
        if count > most { complaints.append("\(count) effects of \(bytes.count) bytes") }
    }

    /// The input for bytes of a characteristic, or of advertised data; nil is an unknown characteristic.
    private func input(_ index: Int?, _ bytes: [UInt8]) -> Input {
        let entry = index.map { family.file.characteristics[$0] }
        switch entry?.advertised?.kind {
        case .service(let service): return .advertised(Broadcast(serviceData: [service: bytes]))
        case .manufacturer(let company): return .advertised(Broadcast(manufacturerData: [company: bytes]))
        case nil: return .notification(entry?.id ?? CharacteristicID(service: 0x1800, uuid: 0x2A00), bytes)
        }
    }

    /// Passes an input to the machine and carries out its effects. Returns the number of effects.
    @discardableResult private mutating func feed(_ input: Input) -> Int {
        let effects = machine.effects(of: input, at: now)
        var answers: [Input] = []
        for effect in effects {
            check(effect)
            answers += family.answers(to: effect, memory: &memory)
        }
        for answer in answers { feed(answer) }
        return effects.count
    }

    private mutating func check(_ effect: Effect) {
        if let operation = LinkOperation(effect),
            !family.file.characteristics.contains(where: { $0.id == operation.characteristic })
        {
            complaints.append("uses \(operation.characteristic), which the file does not name")
        }
        switch effect {
        case .ready: isReady = true
        case .publish(let name, let value):
            publications += 1
            guard let report = features[name]?.report else {
                return complaints.append("publishes \(name), which is not declared")
            }
            do throws(CommandError) {
                switch report.payload {
                case .plain(let type, _): if value != .null { _ = try type.check(value, path: name) }
                case .object(let fields): _ = try fields.check(value.object ?? [:], path: name)
                }
            } catch {
                complaints.append("\(name): \(error)")
            }
            // The message has the form that the bridge publishes.
            let payload = value.bytes
            if String(validating: payload, as: UTF8.self) == nil { complaints.append("\(name): no UTF-8") }
            if payload.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                complaints.append("\(name): a control character in \(payload)")
            }
        case .remark(_, let text):
            if text.unicodeScalars.contains(where: \.isControl) {
                complaints.append("a control character in the log: \(text.debugDescription)")
            }
        default: break
        }
    }
}
