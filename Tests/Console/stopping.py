"""The result of STOP is shown at the button until acknowledged: sending, confirmed, or not confirmed."""

import signal

from page import Page
from stage import resize, wait_for


class Stopping(Page):
    def said(self):
        return self.text("#stop-state")

    def stop(self):
        self.run_script("document.getElementById('stop-all').click()")

    def alert(self, text, seconds=4):
        wait_for(text, lambda: text in self.said(), seconds)
        self.assertEqual(self.run_script("return document.querySelector('#stop-state > div').getAttribute('role')"), "alert")

    def halt(self, process):
        process.send_signal(signal.SIGSTOP)
        self.addCleanup(process.send_signal, signal.SIGCONT)

    def test_confirmed(self):
        wait_for("the connection", lambda: self.text("#state") == "connected")
        self.stop()
        wait_for("the confirmation", lambda: "Stop confirmed: everything" in self.said(), 4)
        self.find("#stop-seen").click()
        wait_for("nothing", lambda: self.said() == "")

    def test_silent_bridge(self):
        """A bridge that does not answer is named; the stop is repeated until it does."""
        wait_for("the connection", lambda: self.text("#state") == "connected")
        self.halt(self.stage.bridge)
        self.stop()
        self.alert("No answer from: test")
        self.assertIn("NOT CONFIRMED", self.said())
        before = len(self.stage.of("all/stop/set"))
        wait_for("a repetition", lambda: len(self.stage.of("all/stop/set")) > before, 4)
        self.stage.bridge.send_signal(signal.SIGCONT)
        wait_for("the confirmation", lambda: "Stop confirmed" in self.said(), 6)

    def test_cancelled(self):
        wait_for("the connection", lambda: self.text("#state") == "connected")
        self.halt(self.stage.bridge)
        self.stop()
        self.alert("NOT CONFIRMED")
        self.find("#stop-seen").click()
        before = len(self.stage.of("all/stop/set"))
        self.wait(3)
        self.assertEqual(len(self.stage.of("all/stop/set")), before)

    def test_dead_network(self):
        """Without any answer the page reports it after 1.5 s, on a scrolled phone too, and keeps the report."""
        resize(self.driver, 320, 640)
        self.show("live", "h1")
        self.halt(self.stage.console)
        self.run_script("scrollTo(0, document.body.scrollHeight)")
        self.stop()
        wait_for("the word", lambda: "Stopping" in self.said(), 1)
        self.alert("NOT SENT", 2.5)
        box = self.run_script("""
            const {top, bottom} = document.querySelector("#stop-state > div").getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;""")
        self.assertTrue(box, "it is on the screen")
        self.find("#stop-seen")

    def test_kept_over_a_reload(self):
        self.halt(self.stage.console)
        self.stop()
        self.alert("NOT SENT")
        self.stage.console.send_signal(signal.SIGCONT)
        wait_for("the confirmation", lambda: "Stop confirmed" in self.said(), 6)
        self.halt(self.stage.bridge)
        self.stop()
        self.alert("NOT CONFIRMED")
        self.driver.refresh()
        self.find("nav a")
        self.alert("NOT CONFIRMED")
        self.find("#stop-seen").click()
        self.driver.refresh()
        self.find("nav a")
        self.assertEqual(self.said(), "")
