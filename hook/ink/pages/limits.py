"""What a file may cost that somebody sent: size, pages, words, pixels, memory and time. Beyond them, nobody looks."""

from __future__ import annotations

from typing import Final

FILE_BYTES: Final = 64 << 20  # 100 pages scanned in grey at 300 dpi have about 40 MB
PAGES: Final = 40  # of which words are read; a ledger compares 4,000 words, which are about ten pages
PAGE_CHARACTERS: Final = 40_000  # a densely printed page has 6,000
CHARACTERS: Final = 200_000
WORD_CHARACTERS: Final = 200
RENDERED_PAGES: Final = 12  # a side; places on further pages stay open
DPI: Final = 200
PAGE_PIXELS: Final = 10_000_000  # A3 at 200 dpi has 7.7 million; a larger page is rendered at fewer dpi
LEAST_DPI: Final = 100  # below it a character has too few pixels to say anything
IMAGE_PIXELS: Final = 60_000_000  # of an original that is an image: A4 at 600 dpi has 35 million
MEMORY_BYTES: Final = 1 << 30  # of the process that opens the file; A4 at 600 dpi in colour takes 0.3 GiB
CPU_SECONDS: Final = 30
SECONDS: Final = 60.0  # for one file, from its start to the last page, also on a busy machine, where 30 s of CPU take longer
ANSWER_BYTES: Final = 32 << 20  # words of all pages, as JSON
