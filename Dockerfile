# The service and the command line, for those who do not want them in Paperless's own container (docs/install.md).
FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements-runtime.lock ./
RUN python -m venv /opt/dedupe && /opt/dedupe/bin/pip install --no-cache-dir --require-hashes -r requirements-runtime.lock
COPY pyproject.toml README.md LICENSE ./
COPY dedupe_core dedupe_core
COPY hook hook
RUN /opt/dedupe/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim
# The same numbers as in Paperless's image, so that both may share a volume.
RUN groupadd --gid 1000 dedupe && useradd --uid 1000 --gid 1000 --no-create-home dedupe \
    && install -d -o dedupe -g dedupe -m 0700 /data
COPY --from=build /opt/dedupe /opt/dedupe
ENV PATH=/opt/dedupe/bin:$PATH DEDUPE_INDEX_DIR=/data PYTHONUNBUFFERED=1
USER dedupe
VOLUME /data
EXPOSE 8642
# Reachable from Paperless's container: DEDUPE_SERVE_HOST=0.0.0.0, which needs DEDUPE_SECRET.
HEALTHCHECK --start-period=20s CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('DEDUPE_SERVE_PORT', '8642') + '/healthz', timeout=3)"]
ENTRYPOINT ["paperless-dedupe"]
CMD ["serve"]
