import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Notifications that are short, long or unknown")
struct TapNotificationLimitTests {
    @Test(
        "Unusual taps are decoded",
        arguments: [
            TapVector(
                "a raw repeat of 2", "01 00 00 20",
                #"{"combination":1,"fingers":["thumb"],"repeat":3,"shift":"off","switch":false}"#),
            TapVector(
                "an undefined shift", "10 00 00 03",
                #"{"combination":16,"fingers":["pinky"],"repeat":1,"shift":null,"switch":false}"#),
            TapVector(
                "a special character behind it", "04 00 00 00 41",
                #"{"combination":4,"fingers":["middle"],"repeat":1,"shift":"off","switch":false}"#),
            TapVector("six fingers", "20 00 00 00", nil), TapVector("nothing", "", nil),
        ])
    func tap(_ vector: TapVector<String?>) {
        var bench = TapBench.online()
        bench.notify(TapGATT.taps, vector.hex)
        #expect(bench.take() == (vector.meaning.map { ["tapped = \($0)"] } ?? []))
    }

    @Test("Combinations and fingers are converted in both directions")
    func combinations() {
        for combination in UInt8(1)...31 {
            let fingers = TapFinger.fingers(of: combination)
            #expect(TapFinger.combination(of: fingers) == combination)
            #expect(fingers.count == combination.nonzeroBitCount)
        }
        #expect(TapFinger.combination(of: [.thumb, .index]) == 3)
        #expect(TapFinger.combination(of: [.thumb, .middle]) == 5)
    }

    @Test(
        "Unusual mouse motion is decoded",
        arguments: [
            TapVector(
                "the largest numbers", "00 FF 7F 00 80 FF FF FF FF 02",
                #"{"velocity_x":32767,"velocity_y":-32768,"is_mouse":false,"dt":4294967295}"#),
            TapVector("too short", "00 01 00 02 00 00 00 00 00", nil),
        ])
    func mouse(_ vector: TapVector<String?>) {
        var bench = TapBench.online()
        bench.notify(TapGATT.mouse, vector.hex)
        #expect(bench.take() == (vector.meaning.map { ["moused = \($0)"] } ?? []))
    }

    @Test(
        "Unusual gestures and states in the air are decoded",
        arguments: [
            TapVector("the second optical state", "14 03", "air_mouse = false"),
            TapVector("one byte", "06", #"gesture = {"gesture":"one_finger_left","code":6}"#),
            TapVector("none", "00 00", #"gesture = {"gesture":"none","code":0}"#),
            TapVector("pinch of a TapXR", "0A 00", #"gesture = {"gesture":"index_to_thumb","code":10}"#),
            TapVector("11", "0B 00", #"gesture = {"gesture":"middle_to_thumb","code":11}"#),
            TapVector("12 of Python's SDK", "0C 00", #"gesture = {"gesture":"index_to_thumb","code":12}"#),
            TapVector("14 of Python's SDK", "0E 00", #"gesture = {"gesture":"middle_to_thumb","code":14}"#),
            TapVector("a state that says nothing", "14", nil), TapVector("an unknown code", "0D 00", nil),
            TapVector("another unknown code", "6A 00", nil), TapVector("nothing", "", nil),
        ])
    func air(_ vector: TapVector<String?>) {
        var bench = TapBench.online()
        bench.notify(TapGATT.air, vector.hex)
        #expect(bench.take() == (vector.meaning.map { [$0] } ?? []))
    }

    @Test("While the air mouse is on, taps 2 and 4 are touches; others remain taps")
    func touches() {
        var bench = TapBench.online()
        bench.notify(TapGATT.air, "14 01")
        bench.notify(TapGATT.taps, "02 00 00 00")
        bench.notify(TapGATT.taps, "04 00 00 00")
        bench.notify(TapGATT.taps, "01 00 00 00")
        bench.notify(TapGATT.air, "14 00")
        bench.notify(TapGATT.taps, "02 00 00 00")
        #expect(
            bench.take() == [
                "air_mouse = true", #"gesture = {"gesture":"index_to_thumb","code":10}"#,
                #"gesture = {"gesture":"middle_to_thumb","code":11}"#,
                #"tapped = {"combination":1,"fingers":["thumb"],"repeat":1,"shift":"off","switch":false}"#,
                "air_mouse = false",
                #"tapped = {"combination":2,"fingers":["index"],"repeat":1,"shift":"off","switch":false}"#,
            ])
    }

    @Test("Without a majority, the posture stays; every posture has a code")
    func postures() {
        var filter = TapHandFilter()
        let postures = [TapHand.fist, .fist, .thumbRing, .thumbPinky].map { filter.take($0) }
        #expect(postures == [.open, .fist, .fist, .fist])
        #expect(TapHand.allCases.map(\.code) == [100, 101, 102, 103, 104, 105])
        #expect(TapHand.allCases.allSatisfy { TapHand(code: $0.code) == $0 })
        #expect(TapGesture.allCases.allSatisfy { TapGesture(code: $0.code) == $0 })
    }

    @Test(
        "Padded texts are decoded",
        arguments: [
            TapVector("padded", "34 2E 34 20 00 00", "4.4"), TapVector("padded by zeros", "34 32 00", "42"),
        ])
    func text(_ vector: TapVector<String>) {
        #expect(String(padded: bytes(vector.hex)) == vector.meaning)
    }

    @Test("A charge of more than 100 percent is ignored")
    func battery() {
        var bench = TapBench.online()
        bench.notify(TapGATT.battery, "64")
        bench.notify(TapGATT.battery, "FF")
        bench.notify(TapGATT.battery, "")
        #expect(bench.take() == [#"battery = {"level":100}"#])
    }
}
