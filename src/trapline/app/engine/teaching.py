"""Examples and labels as lessons for the topic: taught from held pages, or once they are read."""

from __future__ import annotations

from trapline.app.engine.parts import Engine
from trapline.topic.teaching_pages import TeachingPages
from trapline.topic.word_hashes import count_words


def teach_held_pages(engine: Engine, lessons: TeachingPages) -> None:
    """Examples and labels whose pages are held teach at once, the others when they are read."""
    for url, like in engine.settings.topic.pages():
        if engine.is_theirs(url):
            continue
        lessons.example(engine.holdings.book.number(url)[0], like=like)
    take_new_labels(engine, lessons)
    for page in lessons.pages():
        teach_page(engine, lessons, page)


def take_new_labels(engine: Engine, lessons: TeachingPages) -> list[int]:
    """Take over the labels that people have written since; returns their pages.

    Texts are examples of the topic at once.
    """
    news = engine.instructions.labels.news()
    for text, belongs in news.texts.items():
        counts = count_words("", text)
        if len(counts.words):
            engine.control.topic.exemplify(text, counts, like=belongs)
    labels = {
        engine.holdings.book.number(url)[0]: belongs
        for url, belongs in news.pages.items()
        if not engine.is_theirs(url)
    }
    for page, belongs in labels.items():
        lessons.label(page, belongs=belongs)
    return list(labels)


def teach_page(engine: Engine, lessons: TeachingPages, page: int) -> None:
    """Teach the text that is held of a page; one that is not held teaches when it is read."""
    held = engine.store.page(page)
    if held is not None:
        lessons.read(page, count_words(held.title, held.text))
