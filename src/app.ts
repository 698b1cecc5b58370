import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import createFastify, { LogController, type FastifyBaseLogger } from 'fastify';
import type { DestinationStream } from 'pino';
import { registerLoadShedding } from './platform/overload/register-load-shedding.js';
import { ApiKeyService } from './apikey/api-key.service.js';
import { passwordMetrics } from './auth/password/password.metrics.js';
import { webhookMetrics } from './events/webhooks/webhooks.metrics.js';
import { mediaMetrics } from './blog/media/usage/media.metrics.js';
import { mailMetrics } from './events/mail/mail.metrics.js';
import { AppModule } from './app.module.js';
import { checkPictureHead } from './blog/media/processing/picture-head.js';
import { uploadFolder } from './blog/media/storage/media-folder.js';
import { ApiAdapter } from './platform/http/api.adapter.js';
import { registerAdmission } from './platform/http/access/admission/register-admission.js';
import { collectAllowedMethods } from './platform/http/headers/allowed-methods.js';
import { publicCacheHeaders, registerCacheTags } from './platform/http/headers/public-cache.js';
import { registerCommonHeaders } from './platform/http/headers/common-headers.js';
import { registerConditionalGet } from './platform/http/conditional/conditional-get.js';
import { registerDeadline } from './platform/http/connection/deadline.js';
import {
  clientErrorHandler,
  frameworkErrorHandler,
  registerRequestChecks,
} from './platform/http/errors/connection-errors.js';
import { queuedServer } from './platform/http/connection/queued-server.js';
import { registerPreflight } from './platform/http/headers/cors.js';
import { DEFAULT_BODY_LIMIT } from './platform/http/input/body-limit.js';
import { registerUploads } from './platform/http/input/uploads/register-uploads.js';
import { registerJsonParser } from './platform/http/input/json-parser.js';
import { addressRanges } from './platform/http/client-address/ip-address.js';
import { registerProxyHint } from './platform/http/client-address/proxy-hint.js';
import { requestIdOf } from './platform/http/request-id.js';
import { registerSlowReaders } from './platform/http/connection/slow-readers.js';
import { hasPages } from './platform/config/pages-of.js';
import { createLogger } from './platform/logging/create-logger.js';
import { lazyChildLogger } from './platform/logging/lazy-logger.js';
import { NestLogger } from './platform/logging/nest-logger.js';
import { registerRequestLog } from './platform/logging/request-log.js';
import { CLASS_BY_ROUTE } from './request-classes.js';
import type { Env } from './platform/config/env.js';
import type { MongoLocation } from './platform/database/mongo-location.js';
import type { AppMetrics } from './platform/metrics/app-metrics.js';
import { registerResponseCache } from './platform/caching/response-cache/response-cache.js';
import { CacheCoherenceService } from './platform/caching/cache-coherence.service.js';

/** Length of the longest slug in a URL: 200 characters of 4 bytes, with each byte written as `%XX`. */
const MAX_PARAM_LENGTH = 200 * 4 * 3;

const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH } as const;

export interface CreateAppOptions {
  /** The logger of the process; created when left out. */
  readonly log?: FastifyBaseLogger;
  /** Receives the JSON log lines instead of the standard output. */
  readonly logStream?: DestinationStream;
  /** The metrics of this process; null or left out when metrics are off. */
  readonly metrics?: AppMetrics | null;
  /** The database that the process has begun to open; opened here when left out. */
  readonly location?: Promise<MongoLocation>;
}

/**
 * Creates the server: Fastify with its plugins, and the Nest application on it. The server is
 * initialised, but it does not listen yet, and SetupService has not prepared the database. Programs and
 * tests both call this function.
 *
 * @throws what connecting to the database throws
 */
export async function createApp(
  env: Env,
  { logStream, log = createLogger(env, logStream), metrics, location }: CreateAppOptions = {},
): Promise<NestFastifyApplication> {
  const createServer = queuedServer(log, env);
  const fastify = createFastify({
    childLoggerFactory: lazyChildLogger(log),
    // request-log.ts logs requests instead, as LOG_REQUESTS says and without IP addresses.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    // This is a function, because Fastify's own check of a list does not match addresses with a port in
    // x-forwarded-for.
    trustProxy: env.TRUST_PROXY.length > 0 ? addressRanges(env.TRUST_PROXY) : false,
    bodyLimit: DEFAULT_BODY_LIMIT,
    serverFactory: (application) =>
      createServer(metrics?.requests.observed(application) ?? application),
    routerOptions: ROUTER_OPTIONS,
    clientErrorHandler: clientErrorHandler(env),
    frameworkErrors: frameworkErrorHandler(env),
  });
  fastify.log = log;
  collectAllowedMethods(fastify, ROUTER_OPTIONS);
  registerCommonHeaders(fastify, env.CORS_ORIGINS);
  registerProxyHint(fastify, env);
  registerRequestLog(fastify, env);
  registerRequestChecks(fastify);
  registerSlowReaders(fastify);
  registerDeadline(fastify);
  registerJsonParser(fastify);
  registerUploads(fastify, {
    folder: uploadFolder(env),
    maxBytes: env.MEDIA_MAX_MB * 1_048_576,
    checkHead: checkPictureHead,
  });
  await registerPreflight(fastify, env.CORS_ORIGINS, '/auth/oidc/start');
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register({ env, location }),
    new ApiAdapter(fastify),
    {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(log),
    },
  );
  registerAdmission(app, fastify);
  registerLoadShedding(app, fastify, env, CLASS_BY_ROUTE);
  const coherence = app.get(CacheCoherenceService);
  const apiKeys = app.get(ApiKeyService);
  // The response cache is registered after the deadline, the admission and load shedding, because it puts its
  // hook before the hooks that they have added to a route.
  const responseCache = registerResponseCache(fastify, env, coherence, (key, access) =>
    apiKeys.isCachedAndValid(key, access),
  );
  const { stored, notStored } = publicCacheHeaders(env);
  registerConditionalGet(fastify, responseCache.onSend, () =>
    coherence.mayBeRolledBack() ? notStored : stored,
  );
  registerCacheTags(fastify, env);
  metrics?.observe(app, fastify, responseCache, [
    ...passwordMetrics(app),
    ...webhookMetrics(app),
    ...mailMetrics(app),
    ...mediaMetrics(app),
  ]);
  if (hasPages(env)) {
    const { registerPages } = await import('./web/pages.js');
    await registerPages(app, fastify, env);
  }
  return app.init();
}
