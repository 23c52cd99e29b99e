# Jury with Node and git and nothing else. Build: docker build -t jury .   Use: docs/docker.md
# The base is named by its digest, so that the same file builds the same image; whoever renews it renews both parts.
ARG BASE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs scripts/
RUN node scripts/setup.mjs
COPY . .
RUN npm run build
RUN npm pack --ignore-scripts --pack-destination /tmp
RUN npm install --global --prefix /opt/jury --ignore-scripts --no-audit --no-fund /tmp/jury-*.tgz
# Node 24 has SQLite of its own.
RUN cd /opt/jury/lib/node_modules/jury/node_modules && rm -r @photostructure node-addon-api node-gyp-build

FROM ${BASE}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git \
 && rm -rf /var/lib/apt/lists/*
# A project that is mounted belongs to somebody else than who runs in here, and that is meant. The state is for whoever runs.
RUN git config --system --add safe.directory '*' \
 && install --directory --mode=1777 /state
COPY --from=build /opt/jury /opt/jury
ENV PATH=/opt/jury/bin:$PATH \
    JURY_STATE=/state/jury \
    XDG_CACHE_HOME=/tmp
VOLUME /state
WORKDIR /work
USER node
ENTRYPOINT ["jury"]
