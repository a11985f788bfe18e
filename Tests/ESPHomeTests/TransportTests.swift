import Bluetooth
import HostTesting
import Testing

@testable import ESPHome

@Suite("Frames of ESPHome's API")
struct TransportTests {
    private static let key = VectorFile.hex("psk")

    private static func client() -> ClientTransport {
        ClientTransport(key: key, ephemeral: VectorFile.hex("client_ephemeral_private"))
    }

    private static func proxy(key: [UInt8]? = key) -> ServerTransport {
        ServerTransport(
            key: key, name: "attic-proxy", mac: "c0ffee000001",
            ephemeral: VectorFile.hex("proxy_ephemeral_private"))
    }

    @Test("A plain frame is written and read byte by byte", arguments: VectorFile.plain)
    func plain(_ vector: VectorFile.Plain) throws {
        var client = ClientTransport(key: nil)
        #expect(client.start().events == [.ready(nil)])
        #expect(client.encode(vector.frame) == vector.bytes)
        // Byte by byte, an event only with the last byte.
        for byte in vector.bytes.dropLast() { #expect(try client.receive([byte]) == []) }
        #expect(try client.receive([vector.bytes[vector.bytes.count - 1]]) == [.frame(vector.frame)])
    }

    @Test("The client sends and reads the session of Home Assistant's client, byte by byte")
    func client() throws {
        var client = Self.client()
        let sent = VectorFile.frames("frames", of: "client")
        #expect(sent.count == 2)
        #expect(client.start().bytes == sent.flatMap(\.self))
        let received = VectorFile.frames("frames", of: "proxy")
        #expect(try client.receive(received[0]) == [])
        let hello = ClientTransport.ServerHello(name: "attic-proxy", mac: "c0ffee000001")
        #expect(try client.receive(received[1]) == [.ready(hello)])
        for (name, bytes) in zip(["hello", "device_info"], VectorFile.frames("transport", of: "client")) {
            let vector = try #require(VectorFile.plain.first { $0.name == name })
            #expect(client.encode(vector.frame) == bytes)
        }
        for (name, bytes) in zip(
            ["hello_reply", "device_info_short"], VectorFile.frames("transport", of: "proxy"))
        {
            let vector = try #require(VectorFile.plain.first { $0.name == name })
            #expect(try client.receive(bytes) == [.frame(vector.frame)])
        }
    }

    @Test("The proxy answers Home Assistant's client byte by byte")
    func proxy() throws {
        var proxy = Self.proxy()
        let received =
            VectorFile.frames("frames", of: "client") + VectorFile.frames("transport", of: "client")
        let step = proxy.receive(received.flatMap(\.self))
        #expect(step.answer == VectorFile.frames("frames", of: "proxy").flatMap(\.self))
        #expect(step.frames.map(\.type) == [1, 9])
        #expect(step.failure == nil)
        for (name, bytes) in zip(
            ["hello_reply", "device_info_short"], VectorFile.frames("transport", of: "proxy"))
        {
            let vector = try #require(VectorFile.plain.first { $0.name == name })
            #expect(proxy.encode(vector.frame) == bytes)
        }
    }

    @Test(
        "Old firmware states neither name nor MAC",
        arguments: ["01000101", "01000d0161747469632d70726f787900"])
    func oldHello(_ hello: String) throws {
        var client = Self.client()
        let bytes = try #require(Hex.bytes(hello))
        #expect(try client.receive(bytes) == [])
        let answer = VectorFile.frames("frames", of: "proxy")[1]
        let name = hello.count > 8 ? "attic-proxy" : ""
        #expect(try client.receive(answer) == [.ready(ClientTransport.ServerHello(name: name, mac: ""))])
    }

    @Test("A connection with the wrong key, or with a key on one side only, has a separate reason")
    func mismatches() throws {
        let hello = VectorFile.frames("frames", of: "proxy")[0]
        var other = Self.proxy(key: [UInt8](repeating: 7, count: 32))
        var client = Self.client()
        let refusal = other.receive(client.start().bytes)
        #expect(refusal.answer == hello + Array("\u{1}\u{0}\u{16}\u{1}Handshake MAC failure".utf8))
        #expect(refusal.failure?.code == .refused)
        #expect(throws: TransportError(.wrongKey, "the proxy has a different encryption key")) {
            try client.receive(refusal.answer)
        }

        var plainProxy = Self.proxy(key: nil)
        client = Self.client()
        let mismatch = plainProxy.receive(client.start().bytes)
        #expect(mismatch.answer == Array("\u{0}Bad indicator byte".utf8))
        #expect(throws: TransportError(.noEncryption, "the proxy has no encryption, and a key is given")) {
            try client.receive(mismatch.answer)
        }

        var proxy = Self.proxy()
        var plainClient = ClientTransport(key: nil)
        let demand = proxy.receive(plainClient.encode(Frame(type: 1, payload: [])))
        #expect(demand.answer == Array("\u{1}\u{0}\u{13}\u{1}Bad indicator byte".utf8))
        #expect(
            throws: TransportError(.encryptionRequired, "the proxy requires encryption, and no key is given")
        ) {
            try plainClient.receive(demand.answer)
        }
    }

    @Test("The proxy refuses an invalid handshake with the firmware's words")
    func refusals() {
        for (frame, words) in [
            ([1, 0, 0], "Empty handshake message"), ([1, 0, 1, 5], "Bad handshake error byte"),
        ] as [([UInt8], String)] {
            var proxy = Self.proxy()
            #expect(proxy.receive([1, 0, 0]).failure == nil)
            let step = proxy.receive(frame)
            #expect(step.answer == FrameBuffer.body([1] + words.utf8))
            #expect(step.failure == TransportError(.refused, words))
        }
    }

    @Test("A changed byte of an encrypted message, and a repeated message, end the connection")
    func forgery() throws {
        let session = VectorFile.frames("frames", of: "proxy").flatMap(\.self)
        let message = VectorFile.frames("transport", of: "proxy")[0]
        for index in message.indices.dropFirst(3) {
            var (client, forged) = (Self.client(), message)
            _ = try client.receive(session)
            forged[index] ^= 1
            #expect(throws: TransportError(.invalidFrame, "a message is not authentic")) {
                try client.receive(forged)
            }
        }
        var client = Self.client()
        #expect(try client.receive(session + message).count == 2)
        #expect(throws: TransportError.self) { try client.receive(message) }
    }

    @Test(
        "An invalid frame ends the connection",
        arguments: [
            ("020000", "a frame starts with 2, expected 0"),
            ("00808004", "the payload is 65536, expected at most 65535"),
            ("0000808004", "the number of its message is 65536, expected at most 65535"),
            ("00ffffffffffffffffff7f", "a number has more than 64 bits"),
        ])
    func invalid(_ bytes: String, _ reason: String) throws {
        var client = ClientTransport(key: nil)
        let bytes = try #require(Hex.bytes(bytes))
        #expect(throws: TransportError(.invalidFrame, reason)) { try client.receive(bytes) }
    }

    @Test("10,000 changed sessions end with an error or continue, on both sides")
    func mutations() throws {
        var random = RandomSource(seed: 3)
        let fromProxy =
            (VectorFile.frames("frames", of: "proxy") + VectorFile.frames("transport", of: "proxy"))
            .flatMap(\.self)
        let fromClient =
            (VectorFile.frames("frames", of: "client") + VectorFile.frames("transport", of: "client"))
            .flatMap(\.self)
        var failures = 0
        for _ in 0..<10_000 {
            var (client, proxy) = (Self.client(), Self.proxy())
            do { _ = try client.receive(VectorFile.mutant(of: fromProxy, using: &random)) } catch {
                #expect(!error.message.isEmpty)
                failures += 1
            }
            let step = proxy.receive(VectorFile.mutant(of: fromClient, using: &random))
            #expect(step.frames.count <= 2)
        }
        #expect(failures > 5000)
    }
}

@Suite("Keys of proxies")
struct EncryptionKeyTests {
    @Test("A key is read from base64, written again, and never shown")
    func key() throws {
        let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let key = try #require(EncryptionKey(base64: text))
        #expect(key.bytes == [UInt8](0..<32))
        #expect(key.base64 == text)
        #expect("\(key) \(String(reflecting: key))".contains("AAEC") == false)
        #expect(EncryptionKey() != EncryptionKey())
        #expect(EncryptionKey(base64: EncryptionKey().base64) != nil)
    }

    @Test(
        "Anything else is no key",
        arguments: [
            "", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8a",
            "!AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", String(repeating: "A", count: 43) + "=",
            " AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        ])
    func invalid(_ text: String) { #expect(EncryptionKey(base64: text) == nil) }
}
