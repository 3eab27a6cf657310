"""Stage translation: the tables from the words of passages to those of questions, fold by fold."""

from __future__ import annotations

from typing import cast

from rulerank.features.storage import GENERATORS, load_generators
from rulerank.files import replacing_folder, write_json
from rulerank.learn.out_of_fold import Folds
from rulerank.learn.translation import JudgedTexts, train_tables
from rulerank.pipeline.paths import INDEX, TABLES, TRANSLATION, TRANSLATION_TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.translation import Shares
from rulerank.retrieve.translation_table import TranslationTable
from rulerank.settings import Settings


@stage(
    "translation",
    reads=[TABLES, INDEX],
    writes=[TRANSLATION],
    params=["text", "translation"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/translation`; without rounds it holds the settings alone."""
    with replacing_folder(TRANSLATION) as folder:
        # DVC warns of an empty folder whenever a stage reads it.
        write_json(folder / "settings.json", settings.translation.model_dump())
        if not settings.translation.rounds:
            return Outcome({"words": 0})
        workspace = Workspace(settings)
        training = workspace.asked("train")
        bm25 = cast("Bm25", load_generators(["bm25"], INDEX / GENERATORS)["bm25"])
        shares = Shares(bm25, workspace.surroundings.masses)
        questions = workspace.analyser(training["text"].to_list())
        judged = JudgedTexts.of(questions, workspace.relevant(training), shares)
        tables = train_tables(judged, Folds.of(training), settings.translation)
        tables.save(folder / TRANSLATION_TABLES.name, TranslationTable.save)
        return Outcome({"words": len(judged.words), "translations": len(tables.full.sources.items)})


if __name__ == "__main__":
    main.run()
