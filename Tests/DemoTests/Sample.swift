@testable import tactile_demo

/// A scene with enough input to show everything.
enum Sample {
    static let hints = Hints(
        """
        type here: an event, or a message
          belt press home · belt turn 90
          belt/vibrate/set 90
        in a second terminal: any message
          mosquitto_pub -t belt/vibrate/set -m 90
        """)

    static func moment(_ seconds: Int) -> Scene.Moment {
        .init(elapsed: .seconds(seconds), clock: "08:00:\(seconds < 10 ? "0" : "")\(seconds)")
    }

    /// A message in the form of `mosquitto_sub -F %j`.
    static func message(_ topic: String, _ payload: String, retained: Bool = false) -> String {
        let quoted = payload.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return
            #"{"tst":"x","topic":"\#(topic)","qos":0,"retain":\#(retained ? 1 : 0),"payload":"\#(quoted)"}"#
    }

    static var scene: Scene {
        var scene = Scene()
        scene.hints = hints
        scene.broker = "localhost:1884"
        let lines = [
            message("bridge/demo/availability", "online"),
            #"{"device":"belt","event":"link","connected":true}"#,
            #"{"device":"tap","event":"link","connected":true}"#,
            #"{"device":"robot","event":"link","connected":true}"#,
            #"{"device":"bracelet","event":"link","connected":false}"#,
            #"{"device":"belt","event":"mode","mode":"app"}"#,
            #"{"device":"belt","event":"heading","heading":90}"#,
            #"{"device":"belt","event":"battery","level":"89.5","power":"battery"}"#,
            #"{"device":"tap","event":"battery","level":87}"#,
            message("belt/button", #"{"button":"home","press":"short","previous_mode":"app","mode":"app"}"#),
            message("belt/vibrate/set", "90"),
            #"{"device":"belt","event":"feel","motors":[{"motor":4,"intensity":50}]}"#,
            message("belt/result", #"{"feature":"vibrate","status":"ok"}"#),
            message("tap/00be02/tapped", #"{"combination":5,"fingers":["thumb","middle"],"repeat":2}"#),
        ]
        for line in lines { scene.take(line, at: moment(5)) }
        scene.typed = (Array("belt turn"), 9)
        return scene
    }
}
