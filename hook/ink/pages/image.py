"""An original that is an image: its pages in grey by Pillow, without words. Used inside the process of `opener` alone."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image, ImageSequence

from hook.ink.pages import limits
from hook.ink.pages.opener import Refused
from hook.ink.pages.page import POINTS_PER_INCH

_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP")
Image.init()  # loads the decoders now: later no file can be opened
_FRAMES = 4  # of a TIFF that are shown
_USUAL_DPI = 200.0
_LEAST_DPI, _MOST_DPI = 50.0, 1200.0


class Images:
    def __init__(self, data: bytes) -> None:
        Image.MAX_IMAGE_PIXELS = None  # the size is looked at here, before anything is decoded
        try:
            self._image = Image.open(io.BytesIO(data), formats=_FORMATS)
            self._frames = [
                frame.convert("L").copy() for frame, _ in zip(self._sized(), range(_FRAMES), strict=False)
            ]
        except Refused:
            raise
        except Exception as error:  # what decoders raise for a broken file is anything
            raise Refused("damaged") from error
        self.count = len(self._frames)

    def _sized(self) -> Any:
        for frame in ImageSequence.Iterator(self._image):
            if frame.width * frame.height > limits.IMAGE_PIXELS or min(frame.size) < 8:
                raise Refused("too large")
            yield frame

    def pages(self) -> list[dict[str, Any]]:
        found = [self._points(frame) for frame in self._frames]
        return [{"width": width, "height": height, "words": []} for width, height in found]

    def _points(self, frame: Any) -> tuple[float, float]:
        dpi = float(self._image.info.get("dpi", (_USUAL_DPI,))[0] or _USUAL_DPI)
        dpi = dpi if _LEAST_DPI <= dpi <= _MOST_DPI else _USUAL_DPI
        return frame.width * POINTS_PER_INCH / dpi, frame.height * POINTS_PER_INCH / dpi

    def grey(self, number: int, dpi: float) -> tuple[dict[str, Any], bytes]:
        frame = self._frames[number]
        width, height = self._points(frame)
        scale = min(dpi / POINTS_PER_INCH, (limits.PAGE_PIXELS / (width * height)) ** 0.5)
        columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
        pixels = frame.resize((columns, rows), Image.Resampling.BOX if columns < frame.width else None)
        return {"width": columns, "height": rows, "stride": columns, "scale": scale}, pixels.tobytes()
