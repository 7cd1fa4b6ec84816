"""The process that reads: answers in lines, silence of libraries, an end with its parent."""

import json
import subprocess
import sys
import time

import psutil

from anyloss_core.jobs.worker_process import environment
from tests.sample_jobs import wait_for

COMMAND = [sys.executable, "-m", "anyloss_core.jobs.reader"]


def request(target, folder, progress=False, **arguments):
    asked = {"target": f"tests.support.readings:{target}", "arguments": arguments}
    asked |= {"folder": str(folder), "memory": 2 * 10**9, "progress": progress}
    return json.dumps(asked).encode() + b"\n"


def start():
    pipe = subprocess.PIPE
    return subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env=environment())


def test_only_answers_stand_on_its_output(tmp_path):
    lines = request("print_much", tmp_path) + request("steps", tmp_path, True, count=2)
    with start() as reader:
        reader.stdin.write(lines)
        reader.stdin.flush()
        answers = [json.loads(reader.stdout.readline()) for _ in range(4)]
        reader.stdin.close()
    assert answers == [{"value": "answer"}, {"progress": 0.0}, {"progress": 0.5}, {"value": 2}]


def test_our_refusals_are_told_and_those_of_libraries_are_not(tmp_path):
    with start() as reader:
        reader.stdin.write(request("refuse", tmp_path) + request("raise_arrow", tmp_path))
        reader.stdin.flush()
        answers = [json.loads(reader.stdout.readline()) for _ in range(2)]
        _, log = reader.communicate()
    assert answers[0] == {"refused": ["The table has no columns.", "Bring one with columns."]}
    assert answers[1] == {"fault": "ArrowInvalid"}
    assert b"secret/path" in log  # the log has what the visitor has not


def test_it_ends_with_its_parent_in_the_middle_of_a_file(tmp_path):
    with start() as reader:
        reader.stdin.write(request("print_much", tmp_path) + request("hang", tmp_path))
        reader.stdin.flush()
        reader.stdout.readline()
        time.sleep(0.2)
        assert psutil.Process(reader.pid).is_running()
        reader.stdin.close()  # what a killed parent leaves
        wait_for(lambda: reader.poll() is not None)
