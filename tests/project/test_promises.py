"""Each sentence of README and docs/safety.md that promises something has tests that fail without it; here is which."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
README = (TESTS.parent / "README.md").read_text(encoding="utf-8")
SAFETY = (TESTS.parent / "docs" / "safety.md").read_text(encoding="utf-8")
SECTIONS = ("What it never does", "When something goes wrong", "Privacy")
NO_PROMISE = ("SECURITY.md", "has a test that fails")

PROMISES = {
    # The first screen of README
    "**Nothing is deleted.**": [
        "e2e/test_promises.py::test_no_document_goes_to_the_trash_without_being_asked",
        "e2e/test_promises.py::test_only_the_document_that_was_asked_for_goes_to_the_trash",
        "e2e/review/test_review.py::test_undo_brings_all_back",
    ],
    "**Nothing is written until you say so.**": [
        "e2e/review_page/test_report.py::test_the_service_that_only_reports_writes_nothing",
        "install/test_containers.py::test_both_command_lines_are_understood",
        "e2e/review/test_retract.py::test_nothing_of_ours_is_left_and_nothing_of_people_is_touched",
    ],
    "**Nothing leaves your machine.**": ["e2e/test_promises.py::test_only_paperless_is_contacted"],
    "**Paperless is never held up.**": [
        "e2e/test_failures.py::test_trouble_in_the_middle",
        "hook/test_post_consume.py::test_the_next_script_runs_after_a_timeout",
        "e2e/test_failures.py::test_paperless_down_at_hook_time_and_back_later",
    ],
    # What it never does
    "never deletes a document": [
        "e2e/test_promises.py::test_no_document_goes_to_the_trash_without_being_asked"
    ],
    "only if you ask for it on that document": [
        "e2e/test_promises.py::test_only_the_document_that_was_asked_for_goes_to_the_trash",
        "e2e/review/test_review.py::test_confirm_keeps_both_by_default",
    ],
    "`paperless-dedupe undo` restores everything": ["e2e/review/test_review.py::test_undo_brings_all_back"],
    "which is off by default, you ask for it once": [
        "e2e/test_same_file.py::test_without_the_setting_both_stay",
        "e2e/test_same_file.py::test_both_stay",
    ],
    "one that says something else": [
        "hook/review/test_same_text.py::test_one_edit_and_nothing_goes",
        "e2e/review/test_confirm.py::test_trash_refuses_with_a_list",
    ],
    "apart from misreadings beyond doubt": [
        "hook/review/test_same_text.py::test_a_misreading_beyond_doubt_may_go",
    ],
    "a decision that you withdraw in time": [
        "e2e/review/test_withdrawn.py::test_what_changes_before_the_last_look_stops_it",
        "e2e/review/test_withdrawn.py::test_tags_and_texts_are_read_in_the_last_request_before_the_trash",
    ],
    "what the index has lost of them is read back": [
        "e2e/test_kept_decisions.py::test_a_lost_decision_is_read_back",
        "e2e/test_kept_decisions.py::test_a_lost_decision_is_read_back_on_redis",
    ],
    "never overwrites your data": [
        "e2e/review/test_review.py::test_nothing_is_overwritten_and_conflicts_are_told",
        "hook/findings/test_apply.py::test_what_people_have_set_stays",
    ],
    "removes only its own": [
        "hook/findings/test_apply.py::test_a_finding_that_no_longer_holds_is_taken_back"
    ],
    "that you have removed": ["hook/findings/test_apply.py::test_what_a_person_removed_stays_away"],
    "documents of different users": ["e2e/test_backfill.py::test_documents_of_others_are_not_revealed"],
    "empty, encrypted or garbled text": ["e2e/test_promises.py::test_unreadable_text_matches_nothing"],
    "with the tag `dedupe:skip`": ["e2e/test_backfill.py::test_a_document_with_the_skip_tag_is_left_alone"],
    "contradict each other": [
        "e2e/test_promises.py::test_contradicting_dates_and_numbers_are_never_the_same_paper",
        "core/judge/test_verdict.py::test_a_contradiction_is_never_outvoted",
    ],
    # When something goes wrong
    "kept in a queue": [
        "e2e/test_failures.py::test_paperless_down_at_hook_time_and_back_later",
        "e2e/test_failures.py::test_index_locked_by_another_process",
        "e2e/test_failures.py::test_slow_server_against_the_deadline",
    ],
    "Nothing is lost if the process is killed": [
        "e2e/test_failures.py::test_killed_hook",
        "e2e/test_backfill.py::test_killed_at_every_step_and_resumed_it_comes_to_the_same",
        "e2e/review/test_review_kills.py::test_a_kill_at_any_write",
        "stress/test_index_stress.py::test_killed_again_and_again",
    ],
    "it stops by itself": ["hook/test_post_consume.py::test_the_next_script_runs_after_a_timeout"],
    "with exit code 0": [
        "e2e/test_failures.py::test_trouble_in_the_middle",
        "hook/test_post_consume.py::test_a_python_that_does_not_work",
    ],
    "one line per document": ["hook/test_post_consume.py::test_the_script_as_paperless_runs_it"],
    "`paperless-dedupe check --full` verifies it": [
        "hook/commands/test_check.py::test_a_damaged_index_is_found_and_repaired"
    ],
    "`backfill --rebuild` builds it again": ["e2e/test_backfill.py::test_rebuild_comes_to_the_same"],
    "Your decisions are kept": ["e2e/review/test_review.py::test_a_dismissed_pair_is_never_told_again"],
    # Privacy
    "the only server it contacts is your Paperless": [
        "e2e/test_promises.py::test_only_paperless_is_contacted",
        "e2e/test_promises.py::test_a_redirect_to_somebody_else_is_not_followed",
        "e2e/test_promises.py::test_a_proxy_of_the_environment_is_not_used",
    ],
    "Document text and tokens are never logged": [
        "e2e/test_promises.py::test_no_text_and_no_token_is_logged_by_any_command",
        "e2e/test_promises.py::test_no_text_and_no_token_is_logged_by_the_service",
        "e2e/test_failures.py::test_no_secret_and_no_text_in_the_log",
    ],
    "The index contains the text of your documents, compressed": [
        "hook/examination/test_codec.py::test_what_goes_in_comes_out"
    ],
    "directory 0700, files 0600": [
        "e2e/test_promises.py::test_all_that_is_kept_is_private",
        "hook/index/test_store.py::test_directory_and_files_are_private_whatever_the_umask",
    ],
    "contains no pickled objects": ["e2e/test_promises.py::test_the_index_contains_no_pickle"],
    "refuses to load any": [
        "hook/index/test_store.py::test_a_poisoned_value_is_an_error_and_runs_nothing",
        "hook/index/test_store.py::test_a_poisoned_key_is_an_error_and_runs_nothing",
    ],
}


def sentences() -> list[str]:
    found = []
    for title in SECTIONS:
        section = SAFETY.split(f"\n## {title}\n")[1].split("\n## ")[0]
        for paragraph in re.split(r"\n\n|\n- ", section):
            found += re.split(r"(?<=[.:])\s+(?=[A-Z])", " ".join(paragraph.split()).removeprefix("- "))
    return [sentence for sentence in [*found, *first_screen()] if sentence]


def first_screen() -> list[str]:
    """The four promises that README begins with, as whole paragraphs."""
    found = re.findall(r"^- (\*\*.+?)(?=\n- |\n\n)", README, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(each.split()) for each in found]


def test_readme_begins_with_four_promises() -> None:
    assert len(first_screen()) == 4


def test_every_sentence_is_promised_by_a_test() -> None:
    """A new promise is added here with the test that holds us to it."""
    known = (*PROMISES, *NO_PROMISE)
    assert len(sentences()) > 15
    assert [sentence for sentence in sentences() if not any(words in sentence for words in known)] == []


@pytest.mark.parametrize("words", PROMISES)
def test_a_promise_and_its_tests_exist(words: str) -> None:
    """A test that is renamed, or a promise that is reworded, is changed here as well."""
    assert any(words in sentence for sentence in sentences())
    for test in PROMISES[words]:
        path, name = test.split("::")
        assert f"\ndef {name}(" in (TESTS / path).read_text(encoding="utf-8"), test
