import DeviceKit
import Testing

@testable import Tap

@Suite("Notifications are read as the worked examples of the protocol have them")
struct NotificationVectorTests {
    @Test(
        "Taps",
        arguments: [
            Vector(
                "17", "05",
                #"{"combination":5,"fingers":["thumb","middle"],"repeat":null,"shift":null,"switch":null}"#),
            Vector(
                "17b", "03 00 00 00",
                #"{"combination":3,"fingers":["thumb","index"],"repeat":1,"shift":"off","switch":false}"#),
            Vector(
                "17c", "02 E8 03 11",
                #"{"combination":2,"fingers":["index"],"repeat":2,"shift":"on","switch":false}"#),
            Vector(
                "17d", "08 00 00 36",
                #"{"combination":8,"fingers":["ring"],"repeat":3,"shift":"locked","switch":true}"#),
            Vector("17e", "00 00 00 02", nil),
            Vector(
                "17f", "1F",
                #"{"combination":31,"fingers":["thumb","index","middle","ring","pinky"],"repeat":null,"shift":null,"#
                    + #""switch":null}"#),
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
                "18", "00 01 00 02 00 00 00 00 00 01",
                #"{"velocity_x":1,"velocity_y":2,"is_mouse":true,"dt":0}"#),
            Vector(
                "18b", "00 F6 FF 2C 01 0A 00 00 00 00",
                #"{"velocity_x":-10,"velocity_y":300,"is_mouse":false,"dt":10}"#),
            Vector(
                "18c", "00 01 00 02 00 00 00 00 00 01 0A 00 14 00 1E 00",
                #"{"velocity_x":1,"velocity_y":2,"is_mouse":true,"dt":0}"#),
            Vector("18d", "01 01 00 02 00 00 00 00 00 01", nil),
            Vector("too short", "00 01 00 02 00 00 00 00 00", nil),
        ])
    func mouse(_ vector: Vector<String?>) {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.notify(GATT.mouse, vector.hex)
        #expect(bench.take() == (vector.meaning.map { ["moused = \($0)"] } ?? []))
    }

    @Test("Newer firmware says how the device is turned (18c)")
    func attitude() {
        let report = MouseReport(bytes("00 01 00 02 00 00 00 00 00 01 0A 00 14 00 1E 00"))
        #expect(report?.attitude == MouseReport.Attitude(roll: 10, pitch: 20, yaw: 30))
        #expect(MouseReport(bytes("00 01 00 02 00 00 00 00 00 01"))?.attitude == nil)
    }

    @Test(
        "Gestures and states in the air",
        arguments: [
            Vector("19", "14 01", "air_mouse = true"), Vector("19", "14 00", "air_mouse = false"),
            Vector("19", "14 02", "air_mouse = false"), Vector("19", "14 03", "air_mouse = false"),
            Vector("19b", "02 00", #"gesture = {"gesture":"one_finger_up","code":2}"#),
            Vector("19b", "09 00", #"gesture = {"gesture":"two_fingers_right","code":9}"#),
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

    @Test("With the air mouse on, taps 2 and 4 are touches and others nothing (20)")
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

    @Test("The hand is what two of its last three words say (21)")
    func hand() {
        var bench = Bench()
        bench.connect(.xr)
        _ = bench.take()
        for hex in ["64 00", "65 00", "65 00", "64 00", "65 00"] { bench.notify(GATT.air, hex) }
        #expect(
            bench.take() == [
                "hand = \"open\"", "hand = \"open\"", "hand = \"thumb_index\"", "hand = \"thumb_index\"",
                "hand = \"thumb_index\"",
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
            Vector("26", "33 2E 32", "3.2"), Vector("26b", "34 2E 34", "4.4"),
            Vector("26c", "33 2E 35 2E 32 34", "3.5.24"), Vector("26e", "34 32", "42"),
            Vector("26f", "54 61 70 5F 58 52 34 32", "Tap_XR42"),
            Vector("padded", "34 2E 34 20 00 00", "4.4"),
        ])
    func text(_ vector: Vector<String>) {
        #expect(String(padded: bytes(vector.hex)) == vector.meaning)
    }

    @Test("Charge in percent (26d)")
    func battery() {
        var bench = Bench()
        bench.connect()
        _ = bench.take()
        bench.notify(GATT.battery, "57")
        bench.notify(GATT.battery, "FF")
        bench.notify(GATT.battery, "")
        #expect(bench.take() == [#"battery = {"level":87}"#])
    }
}
