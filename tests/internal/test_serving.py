"""The answers of the server: processes of limited memory and time, turns, and what is known."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from unittest.mock import Mock

import pytest
from served import awaited

import gops_exact as gx
from gops_exact.commands.serving import Answers, Worker, in_turn

NINE = "_".join(".".join(map(str, range(first, first + 9))) for first in (1, 2, 3)) + "_c"
"""A position of nine cards a side that takes 70 megabytes."""


@pytest.mark.parametrize(
    ("limits", "got"), [((10**9, 0.1), "more time"), ((2 * 10**7, 300), "more memory")]
)
def test_a_process_that_takes_more_than_it_may_is_begun_anew(limits, got):
    async def ask():
        worker = Worker(None, *limits)
        with pytest.raises(ValueError, match=got):
            await worker.answer("position", gx.Position.parse(NINE))
        worker.seconds = 100
        text = await worker.answer("position", gx.Position.start(2))
        worker._process.close()
        return text

    if got == "more memory":
        pytest.importorskip("resource", reason="memory cannot be limited")
    assert json.loads(awaited(ask()))["position"] == str(gx.Position.start(2))


def test_requests_that_would_wait_long_for_their_turn_are_refused():
    going = Event()

    async def ask():
        with ThreadPoolExecutor(1) as thread:
            try:
                first, second = (thread.submit(going.wait, 5) for _ in range(2))
                with pytest.raises(TimeoutError):
                    await in_turn(second)
            finally:
                going.set()
            return await in_turn(first), await in_turn(thread.submit(going.wait))

    assert awaited(ask()) == (True, True)


def test_equal_questions_on_the_game_cost_once(monkeypatch):
    recorder = Mock(return_value="{}")
    monkeypatch.setattr("gops_exact.commands.serving.answer", recorder)
    monkeypatch.setattr("gops_exact.commands.serving.Worker", Mock())

    async def ask():
        answers = Answers(gx.solver("float", gx.Game(3)), None, 10**9, 60)
        for _ in range(2):
            start = gx.Position.start(3)
            await asyncio.gather(*(answers.answer("position", start) for _ in range(20)))

    awaited(ask())
    recorder.assert_called_once()
