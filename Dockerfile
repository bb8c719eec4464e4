# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# PostgreSQL runs beside, so the embedded one stays out.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

FROM node:24-slim
# Shipping compares git trees.
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKBENCH_DATA=/data
# The ready-made credentials of a first start are kept here.
RUN mkdir /data && chown node /data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/apps/console/dist ./apps/console/dist
COPY package.json LICENSE ./
USER node
EXPOSE 3000
CMD ["node", "--enable-source-maps", "dist/apps/server/src/main.js"]
