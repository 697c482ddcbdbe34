# The service and the command line, for those who do not want them in Paperless's own container (docs/install.md).
FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements-ink.lock ./
# Everything is pinned by hash, the packages that build ours too. pip stays in this stage.
RUN python -m venv --without-pip /opt/dedupe \
    && pip --python /opt/dedupe/bin/python install --no-cache-dir --no-deps --require-hashes -r requirements-ink.lock
COPY pyproject.toml README.md LICENSE ./
COPY dedupe_core dedupe_core
COPY hook hook
COPY scripts/post-consume.sh scripts/post-consume.sh
COPY docs/deploy/systemd docs/deploy/systemd
COPY docs/deploy/shell docs/deploy/shell
# Nothing imports scipy (143 MB): datasketch asks for it, and its module that we use does not need it (SECURITY.md).
RUN pip --python /opt/dedupe/bin/python install --no-cache-dir --no-deps --no-build-isolation . \
    && pip --python /opt/dedupe/bin/python uninstall --yes hatchling editables pathspec pluggy trove-classifiers scipy

FROM python:3.12-slim
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="paperless-dedupe" \
      org.opencontainers.image.description="Finds the same paper scanned again in Paperless-ngx, and leaves next month's bill alone." \
      org.opencontainers.image.source="https://github.com/paperless-dedupe/paperless-dedupe" \
      org.opencontainers.image.documentation="https://paperless-dedupe.github.io/paperless-dedupe/" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
# tesseract, with English: the second reading of a place that is different or nearly alike (docs/ink.md).
RUN apt-get update && apt-get install --yes --no-install-recommends tesseract-ocr && rm -rf /var/lib/apt/lists/*
# No package manager for Python in an image that nobody installs into. /data may be entered by any user, because
# `user:` in a compose file can be any; the index in it is private (0700).
RUN rm -rf /usr/local/lib/python3.12/site-packages/pip* /usr/local/lib/python3.12/ensurepip /usr/local/bin/pip* \
    && groupadd --gid 1000 dedupe && useradd --uid 1000 --gid 1000 --no-create-home dedupe \
    && install -d -m 1777 /data
COPY --from=build /opt/dedupe /opt/dedupe
# 0.0.0.0: Paperless is in another container. It needs DEDUPE_SECRET or DEDUPE_SECRET_FILE, and says so.
ENV PATH=/opt/dedupe/bin:$PATH DEDUPE_INDEX_DIR=/data/index DEDUPE_SERVE_HOST=0.0.0.0 PYTHONUNBUFFERED=1
USER 1000:1000
VOLUME /data
EXPOSE 8642
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('DEDUPE_SERVE_PORT', '8642') + '/healthz', timeout=3)"]
ENTRYPOINT ["paperless-dedupe"]
CMD ["serve"]
