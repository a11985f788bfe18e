"""Checks the benchmark's summaries and its output with invented measurements. Needs no other program.

usage: python3 Tests/Benchmarks/test_report.py
"""

import os
import subprocess
import threading
import unittest

import peers
import report
import retained
import stage

PATH = {"us_peer": 50.0, "p50": 200.0, "p99": 900.0, "p999": 4000.0, "lost": 0, "sent": 100, "seconds": 10.0,
        "drained": 10.0, "rate": 100.0, "us_bus": 1.0, "us_broker": 1.0, "us_rig": 1.0}


def memory(pss):
    return {"resident_kb": pss, "own_kb": pss / 2, "pss_kb": pss, "ready_ms": 1}


def result(**results):
    about = {"date": "2026-01-31", "cores": 2, "machine": "x86_64", "memory_gb": 8, "seed": 1, "seconds": 10, "rounds": 2}
    return {"about": about, "results": results}


def rows(text, title):
    """The cells of the rows whose first cell starts with a text."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    return [cells for cells in lines if cells[0].startswith(title)]


class ReportTests(unittest.TestCase):
    def test_a_command_is_compared_with_the_floor_of_the_same_run(self):
        text = report.markdown(result(commands={
            "bridge": PATH | {"us_peer": 95.0, "p99": 1900.0, "p999": 9100.0}, "floor": PATH,
            "before": PATH | {"us_peer": 200.0}, "answering": PATH | {"us_peer": 60.0}}))
        self.assertEqual(rows(text, "processor time a command"),
                         [["processor time a command, of the floor's", "2", "1.90", "4.00", "1.00", "yes"]])
        self.assertEqual(rows(text, "C floor that answers")[0][1], "60.0")
        self.assertEqual(rows(text, "p99 of a command")[0][1:], ["1.90", "1.90", "0.90", "0.90", "yes"])
        self.assertEqual(rows(text, "p99.9 of a command")[0][1:], ["9.00", "9.10", "4.00", "4.00", "**no**"])

    def test_an_event_is_compared_with_all_programs_on_its_path(self):
        text = report.markdown(result(fair={
            "bridge": PATH | {"us_peer": 60.0}, "acquired": PATH | {"us_peer": 38.0, "us_bus": 0.0, "p99": 1000.0},
            "floor": PATH}))
        self.assertEqual(rows(text, "the same, with bus")[0][1:], ["1.25", "1.19", "1.00", "yes"])
        self.assertEqual(rows(text, "the same, with acquired")[0][1:], ["1", "0.75", "1.00", "yes"])
        self.assertEqual(rows(text, "p99 of an event with acquired")[0][1:], ["0.90", "1.00", "0.90", "**no**"])
        self.assertEqual(rows(text, "bridge, acquired sockets")[0][1], "38.0")

    def test_without_the_program_before_there_is_no_column_of_it(self):
        text = report.markdown(result(commands={"bridge": PATH, "floor": PATH}))
        self.assertEqual(rows(text, "what"), [["what", "at most", "bridge", "floor", "reached"]])
        self.assertEqual(rows(text, "retained bytes"), [])

    def test_what_was_not_measured_is_left_out(self):
        text = report.markdown(result(**{"setup 20": {"bridge": {"cpu_ms": 190.0, "ready_ms": 400.0}}}))
        self.assertEqual(rows(text, "processor time"), [])
        self.assertEqual(rows(text, "bridge"), [["bridge", "0.19 (0.4)"]])

    def test_set_up_names_what_failed(self):
        text = report.markdown(result(**{
            "setup 20": {"bridge": {"cpu_ms": 190, "ready_ms": 400}, "floor": {"cpu_ms": 20, "ready_ms": 30}},
            "setup 300": {"floor": {"cpu_ms": 180, "ready_ms": 300}}}))
        self.assertEqual(rows(text, "bridge")[0][1:], ["0.19 (0.4)", "failed"])
        self.assertEqual(rows(text, "C floor")[0][1:], ["0.02 (0.0)", "0.18 (0.3)"])

    def test_advertisements_have_limits_and_state_the_bus_apart(self):
        text = report.markdown(result(
            strangers={"bridge": PATH | {"us_peer": 15.4, "us_bus": 9.0, "us_rig": 7.0}},
            sensors={"bridge": PATH | {"us_peer": 80.0}}, addresses={"bridge": PATH | {"growth_kb": 1200}}))
        self.assertEqual(rows(text, "processor time a report")[0][1:], ["15", "15.4", "", "**no**"])
        self.assertEqual(rows(text, "processor time a packet")[0][1:], ["100", "80.0", "", "yes"])
        self.assertEqual(rows(text, "memory after 60,000")[0][1:], ["1000", "1200", "", "**no**"])
        self.assertEqual(rows(text, "devices that no family"),
                         [["devices that no family matches", "bridge", "10", "none", "15.4", "9.0", "1.0", "7.0"]])

    def test_memory_grows_by_the_share_of_a_further_device(self):
        text = report.markdown(result(**{
            "memory 1": {"bridge": memory(20_000)}, "memory 101": {"bridge": memory(26_000)}}))
        self.assertEqual(rows(text, "PSS of a further device"),
                         [["PSS of a further device, kB", "50", "60", "", "**no**"]])
        self.assertEqual(rows(text, "PSS of bridge and guardian")[0][1:], ["25", "20.0", "", "yes"])
        self.assertEqual(rows(text, "bridge"), [["bridge", "20.0", "26.0", "60 kB"],
                                                ["bridge", "20.0 (10.0)", "26.0 (13.0)", "30 kB"]])

    def test_retained_bytes_are_to_be_half_of_before(self):
        def sizes(size):
            return {key: size for family in ("belt", "tap", "robot")
                    for key in (family, f"{family} discovery", f"{family} topics")}
        text = report.markdown(result(retained={"bridge": sizes(600), "before": sizes(1000)}))
        self.assertEqual(rows(text, "retained bytes of a TAP")[0][1:], ["500", "600", "1,000", "", "**no**"])


class RetainedTests(unittest.TestCase):
    def test_each_message_counts_for_one_device_with_its_topic(self):
        sizes = retained.by_device([
            ("belt/battery", 80, "x"), ("tap/00be02/info", 10, "x"),
            ("homeassistant/device/tactile_bridge_c0ffee00be01/config", 1000, "x"),
            ("bridge/bench/info", 500, "x"), ("beltway/info", 9, "x")])
        self.assertEqual(sizes["belt"], 12 + 80 + 55 + 1000)
        self.assertEqual((sizes["belt discovery"], sizes["belt topics"]), (1055, 2))
        self.assertEqual((sizes["tap"], sizes["tap topics"], sizes["robot"]), (25, 1, 0))

    def test_the_state_file_names_the_rigs_devices(self):
        devices = peers.state(300, "tap")["devices"]
        self.assertEqual(len({device["address"] for device in devices}), 300)
        self.assertEqual((devices[258]["address"], devices[258]["name"]), ("D7:A9:E0:8C:01:02", "tap/8c0102"))


class StageTests(unittest.TestCase):
    def test_what_any_thread_has_started_counts(self):
        started, done, children = threading.Event(), threading.Event(), []

        def start():
            children.append(subprocess.Popen(["cat"], stdin=subprocess.PIPE))
            started.set()
            done.wait()

        thread = threading.Thread(target=start)
        thread.start()
        started.wait(10)
        try:
            self.assertEqual(stage.tree(os.getpid()), [os.getpid(), children[0].pid])
        finally:
            children[0].communicate()
            done.set()
            thread.join()


unittest.main()
