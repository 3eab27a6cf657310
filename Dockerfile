# A ranker behind HTTP. The ranker itself is mounted, not copied: it changes more often than the program.
FROM python:3.11-slim AS build
WORKDIR /project
RUN pip install --no-cache-dir build
COPY pyproject.toml README.md ./
COPY src ./src
RUN python -m build --wheel --outdir /wheels

FROM python:3.11-slim
COPY constraints.txt /tmp/constraints.txt
COPY --from=build /wheels /tmp/wheels
RUN pip install --no-cache-dir --constraint /tmp/constraints.txt "$(echo /tmp/wheels/*.whl)[serve]" \
    && rm -rf /tmp/wheels /tmp/constraints.txt \
    && useradd --create-home --uid 10001 rulerank \
    && install --directory --owner rulerank /kept
USER rulerank
ENV PYTHONUNBUFFERED=1 OMP_NUM_THREADS=1
EXPOSE 8080
# http.client, since urllib would ask through the proxy that Docker may pass to containers.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8080, timeout=2); \
c.request('GET', '/readyz'); exit(c.getresponse().status != 200)"]
# The folder above the ranker is mounted: a mount of the ranker itself would hide another one put in its place.
ENTRYPOINT ["rulerank", "serve", "/outputs/bundle", "--host", "0.0.0.0"]
