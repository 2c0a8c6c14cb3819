import json, sys, tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.e2e.hostile import test_hostile as t
from tests.e2e.hostile.document_cases import document_cases
from tests.e2e.hostile.hostile_server import HostileWeb
import tests.e2e.hostile.test_hostile as th

real = th._robot


def robot(orders, authority):
    said = real(orders, authority)
    for ms, what in said["worst_steps"]:
        print(f"{ms:9.2f} ms {what[:300]}")
    return said


th._robot = robot
with tempfile.TemporaryDirectory() as d, HostileWeb() as web:
    t.crawled(
        Path(d),
        document_cases(),
        web,
        [],
        4,
        {"limits": t.DOCUMENT_LIMITS, "names": {}, "seconds": 150.0},
    )
with tempfile.TemporaryDirectory() as d, HostileWeb() as web:
    house = [web.open(address="127.0.0.1")]
    t.crawled(
        Path(d),
        t.wired(house[0].port),
        web,
        house,
        100,
        {"limits": t.LIMITS, "names": t.NAMES, "seconds": 90.0},
    )
