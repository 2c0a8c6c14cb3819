"""A settings file of the demo: which tables apply, what stays as it is, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapline.app.demo.demo_settings import (
    GAP_S,
    SHAPE,
    Tables,
    demo_settings,
    policy_in,
    read_choices,
)
from trapline.app.settings import Settings
from trapline.core.errors import UserMistake

HOSTS = ["127.0.0.2:8000", "127.0.0.3:8000", "127.0.0.4:8000"]


def settings_with(choices: Tables) -> Settings:
    return demo_settings("space", [f"http://{HOSTS[0]}/"], HOSTS, choices)


def choices_in(folder: Path, text: str) -> Tables:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return read_choices(path)


def test_without_a_file_it_is_as_the_demo_has_it() -> None:
    settings = settings_with({})
    assert settings.budget.visits == 3.5 * len(HOSTS)
    assert settings.budget.burst == 4.0
    assert settings.fetchers.most == 3
    assert settings.refresh.options == {"horizon_s": SHAPE.life_s}
    assert settings.manners.own == dict.fromkeys(HOSTS, GAP_S)


def test_a_file_replaces_value_by_value(tmp_path: Path) -> None:
    choices = choices_in(
        tmp_path,
        '[refresh]\npolicy = "posterior"\noptions = { curiosity = 0.1 }\n'
        '[discovery]\npolicy = "best-first"\n[budget]\nvisits = "600/min"\n'
        '[fetchers]\npolicy = "average-reward"\n',
    )
    settings = settings_with(choices)
    assert settings.refresh.policy == "posterior"
    assert settings.refresh.options == {"curiosity": 0.1, "horizon_s": SHAPE.life_s}
    assert settings.discovery.policy == "best-first"
    assert (settings.budget.visits, settings.budget.burst) == (10.0, 4.0)
    assert (settings.fetchers.policy, settings.fetchers.most) == ("average-reward", 3)
    assert policy_in(choices, "refresh") == "posterior"
    assert policy_in({}, "discovery") == "auto"


def test_a_policy_that_asks_for_no_horizon_gets_none(tmp_path: Path) -> None:
    choices = choices_in(tmp_path, '[refresh]\npolicy = "htraa"\n')
    assert settings_with(choices).refresh.options == {}


def test_a_horizon_of_the_file_counts(tmp_path: Path) -> None:
    choices = choices_in(tmp_path, "[refresh]\noptions = { horizon_s = 60.0 }\n")
    assert settings_with(choices).refresh.options == {"horizon_s": 60.0}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('topic = "tea"\nseeds = ["http://a.org/"]\n', "seeds, topic: the demo has a"),
        ('[manners]\ncontact = "me@lab.org"\n', "manners: the demo has a web of its"),
        ('[refresh]\npolicy = "optimal"\n', "runs in the laboratory only"),
        ('[refresh]\npolicy = "unifrom"\n', "there is no policy named 'unifrom'"),
        ('[discovery]\npolicy = "fringe-greedy"\n', "runs in the laboratory only"),
        ('[fetchers]\npolicy = "static"\n', "lacks the options fetch_rate"),
        ('[refresh]\npolicy = "htraa"\noptions = { wings = 2.0 }\n', "wings"),
        ("[refresh]\npolicies = 3\n", "policies"),
        ("[refresh\n", "not TOML"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_one_line(
    text: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(UserMistake) as refused:
        choices_in(tmp_path, text)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="no such file"):
        read_choices(tmp_path / "nowhere.toml")
