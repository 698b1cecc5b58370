# Builds with everything, runs with the production dependencies only, as a user without rights (1000:1000).
# Debian's glibc: npm takes the build of native bcrypt for it. Node's version is that of package.json.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY vendor ./vendor
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY scripts/build-if-stale.mjs ./scripts/
COPY scripts/build ./scripts/build
COPY src ./src
RUN npm run build

FROM node:24.21.0-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY vendor ./vendor
# No production dependency has an install script; should one come to have it, it does not run.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24.21.0-slim
# The image's own Node runs it: the npm package `node` is a development dependency.
ENV NODE_ENV=production
# Pictures in the sizes that were asked for. It may be empty at each start.
ENV MEDIA_CACHE_DIR=/var/cache/pressroom
RUN install --directory --owner=1000 --group=1000 /var/cache/pressroom
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json node-flags.txt ./
COPY vendor ./vendor
# The commands; what only the repository uses is left out.
COPY bin ./bin
COPY scripts/*.mjs ./scripts/
COPY scripts/build/*.mjs ./scripts/build/
# By its number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# See docs/performance.md, "Flags of Node".
CMD ["sh", "-c", "exec node $(cat node-flags.txt) dist/main.js"]
