import DeviceKit
import Testing

@testable import Tap

@Suite("Notifications that are short, long or not known")
struct NotificationLimitTests {
    @Test(
        "Taps",
        arguments: [
            Vector(
                "a raw repeat of 2", "01 00 00 20",
                #"{"combination":1,"fingers":["thumb"],"repeat":3,"shift":"off","switch":false}"#),
            Vector(
                "an undefined shift", "10 00 00 03",
                #"{"combination":16,"fingers":["pinky"],"repeat":1,"shift":null,"switch":false}"#),
            Vector(
                "a special character behind it", "04 00 00 00 41",
                #"{"combination":4,"fingers":["middle"],"repeat":1,"shift":"off","switch":false}"#),
            Vector("six fingers", "20 00 00 00", nil), Vector("nothing", "", nil),
        ])
    func tap(_ vector: Vector<String?>) {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.notify(GATT.taps, vector.hex)
        #expect(bench.take() == (vector.meaning.map { ["tapped = \($0)"] } ?? []))
    }

    @Test("Every combination has its fingers, and fingers their combination")
    func combinations() {
        for combination in UInt8(1)...31 {
            let fingers = Finger.fingers(of: combination)
            #expect(Finger.combination(of: fingers) == combination)
            #expect(fingers.count == combination.nonzeroBitCount)
        }
        #expect(Finger.combination(of: [.thumb, .index]) == 3)
        #expect(Finger.combination(of: [.thumb, .middle]) == 5)
    }

    @Test(
        "Mouse motion",
        arguments: [
            Vector(
                "the largest numbers", "00 FF 7F 00 80 FF FF FF FF 02",
                #"{"velocity_x":32767,"velocity_y":-32768,"is_mouse":false,"dt":4294967295}"#),
            Vector("too short", "00 01 00 02 00 00 00 00 00", nil),
        ])
    func mouse(_ vector: Vector<String?>) {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.notify(GATT.mouse, vector.hex)
        #expect(bench.take() == (vector.meaning.map { ["moused = \($0)"] } ?? []))
    }

    @Test(
        "Gestures and states in the air",
        arguments: [
            Vector("the second optical state", "14 03", "air_mouse = false"),
            Vector("one byte", "06", #"gesture = {"gesture":"one_finger_left","code":6}"#),
            Vector("none", "00 00", #"gesture = {"gesture":"none","code":0}"#),
            Vector("pinch of a TapXR", "0A 00", #"gesture = {"gesture":"index_to_thumb","code":10}"#),
            Vector("11", "0B 00", #"gesture = {"gesture":"middle_to_thumb","code":11}"#),
            Vector("12 of Python's SDK", "0C 00", #"gesture = {"gesture":"index_to_thumb","code":12}"#),
            Vector("14 of Python's SDK", "0E 00", #"gesture = {"gesture":"middle_to_thumb","code":14}"#),
            Vector("a state that says nothing", "14", nil), Vector("an unknown code", "0D 00", nil),
            Vector("another unknown code", "6A 00", nil), Vector("nothing", "", nil),
        ])
    func air(_ vector: Vector<String?>) {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.notify(GATT.air, vector.hex)
        #expect(bench.take() == (vector.meaning.map { [$0] } ?? []))
    }

    @Test("With the air mouse on, taps 2 and 4 are touches and others nothing")
    func touches() {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.notify(GATT.air, "14 01")
        bench.notify(GATT.taps, "02 00 00 00")
        bench.notify(GATT.taps, "04 00 00 00")
        bench.notify(GATT.taps, "01 00 00 00")
        bench.notify(GATT.air, "14 00")
        bench.notify(GATT.taps, "02 00 00 00")
        #expect(
            bench.take() == [
                "air_mouse = true", #"gesture = {"gesture":"index_to_thumb","code":10}"#,
                #"gesture = {"gesture":"middle_to_thumb","code":11}"#, "air_mouse = false",
                #"tapped = {"combination":2,"fingers":["index"],"repeat":1,"shift":"off","switch":false}"#,
            ])
    }

    @Test("Without a majority the hand stays; every posture has its code")
    func postures() {
        var filter = HandFilter()
        let postures = [Hand.fist, .fist, .thumbRing, .thumbPinky].map { filter.take($0) }
        #expect(postures == [.open, .fist, .fist, .fist])
        #expect(Hand.allCases.map(\.code) == [100, 101, 102, 103, 104, 105])
        #expect(Hand.allCases.allSatisfy { Hand(code: $0.code) == $0 })
        #expect(Gesture.allCases.allSatisfy { Gesture(code: $0.code) == $0 })
    }

    @Test(
        "Values that a TAP tells of itself",
        arguments: [
            Vector("padded", "34 2E 34 20 00 00", "4.4"), Vector("padded by zeros", "34 32 00", "42"),
        ])
    func text(_ vector: Vector<String>) {
        #expect(String(padded: bytes(vector.hex)) == vector.meaning)
    }

    @Test("A charge of more than 100 percent is none")
    func battery() {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.notify(GATT.battery, "64")
        bench.notify(GATT.battery, "FF")
        bench.notify(GATT.battery, "")
        #expect(bench.take() == [#"battery = {"level":100}"#])
    }
}
