"""What the tests of writing into Paperless share: a session with a fake Paperless, and documents that are alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from hook.deadline import Deadline
from hook.findings.apply import Applied
from hook.findings.plan import ExaminationResult
from hook.paperless.client import Paperless
from hook.paperless.http import ApiTransport, Backoff
from hook.queue import Queue
from hook.session import Session, open_archive
from hook.settings.model import Settings
from hook.work import Outcome, examine
from tests.fakes import FakePaperless, Recorded
from tests.live.texts import Texts

TEXTS = Texts(31)
LETTER = TEXTS.letter()
RESCAN, THIRD = TEXTS.scanned_again(LETTER), Texts(32).scanned_again(LETTER)
UNLIKE = "A poem about the sea and about nothing else at all, by nobody known."


@dataclass
class Desk:
    """A session with a fake Paperless."""

    fake: FakePaperless
    session: Session
    lines: list[str] = field(default_factory=list)

    def run(self, *document_ids: int) -> Outcome:
        """As the hook does it for each; the outcome of the last one."""
        for document_id in document_ids:
            outcome = examine(self.session, document_id, patience_s=0.0)
        return outcome

    def writes(self) -> list[Recorded]:
        """The writes since the last call of this."""
        seen = self.fake.writes
        self.fake.forget_requests()
        return seen

    def look(self, document_id: int) -> ExaminationResult:
        """ExaminationResult, and nothing written."""
        return self.session.examiner.examine(self.session.client.document(document_id))

    def bulk_edits(self) -> list[Recorded]:
        return [seen for seen in self.fake.writes if seen.path.endswith("/bulk_edit/")]


@contextmanager
def desk(
    fake: FakePaperless,
    directory: Path,
    *,
    token: str = "",
    wire_type: type[ApiTransport] = ApiTransport,
    session_type: type[Session] = Session,
    **options: Any,
) -> Iterator[Desk]:
    settings = Settings(url=fake.url, token=SecretStr(token or fake.token), index_dir=directory, **options)
    deadline = Deadline(lambda: 0.0, 1000.0)
    wire = wire_type(
        fake.url,
        settings.required_token(),
        deadline=deadline,
        sleep=lambda seconds: None,
        backoff=Backoff(attempts=2, first_s=0.0),
    )
    with (
        Paperless(wire) as client,
        open_archive(settings) as archive,
        closing(Queue(directory)) as queue,
    ):
        lines: list[str] = []
        session = session_type(settings, client, archive, queue, deadline, lines.append)
        yield Desk(fake, session, lines)


def applied(desk: Desk, *document_ids: int) -> Applied:
    """As a backfill does it: looked at one by one, written together."""
    return desk.session.writer.write([desk.look(document_id) for document_id in document_ids])
