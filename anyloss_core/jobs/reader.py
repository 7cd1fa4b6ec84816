"""The process that reads what strangers bring; `isolated` starts it, asks it and ends it.

It takes a request a line on its standard input (which function of ours, with which arguments) and
answers in lines on its standard output. It ends with the process that started it, also in the
middle of a file.
"""

import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from anyloss_core.common.memory import ran_out
from anyloss_core.jobs import handover
from anyloss_core.jobs.processes import limit_memory, volunteer_for_oom

log = logging.getLogger(__name__)


def main(preload: list[str]) -> None:
    """Answer requests until the other side is gone."""
    volunteer_for_oom()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints goes to the log, not between the answers
    requests: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    for name in preload:
        import_module(name)
    while True:
        _say(answers, _answer(json.loads(requests.get()), answers))


def _listen(requests: queue.Queue[str]) -> None:
    """Pass requests on; when the other side is gone there is nobody to read for."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def _answer(request: dict[str, Any], answers: IO[str]) -> dict[str, Any]:
    if request["memory"]:
        limit_memory(request["memory"])
    arguments = request["arguments"]
    if request["progress"]:
        arguments["on_progress"] = lambda share: _say(answers, {"progress": float(share)})
    try:
        value = _function(request["target"])(**arguments)
        return {"value": handover.put(value, Path(request["folder"]))}
    except Exception as fault:
        if ran_out(fault):
            return {"memory": True}
        if _is_ours(fault):
            message = getattr(fault, "message", str(fault))
            return {"refused": [message, getattr(fault, "repair", "")]}
        log.exception("reading with %s met a fault", request["target"])
        return {"fault": type(fault).__name__}


def _function(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _is_ours(fault: Exception) -> bool:
    """Whether its sentence was written for the user; libraries raise their own ValueErrors."""
    ours = type(fault) is ValueError or type(fault).__module__.startswith("anyloss_core.")
    return ours and isinstance(fault, ValueError)


def _say(answers: IO[str], answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
