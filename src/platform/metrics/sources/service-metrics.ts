import type { INestApplicationContext } from '@nestjs/common';
import { LoadLimit } from '../../overload/load-limit.js';
import { BackgroundService, type JobCounts } from '../../jobs/background.service.js';
import { CacheCoherenceService } from '../../caching/cache-coherence.service.js';
import { Lease } from '../../caching/lease.js';
import { LoginThrottleService } from '../../rate-limit/login-throttle.service.js';
import { RateLimitService } from '../../rate-limit/rate-limit.service.js';
import { RESPONSES, type ResponseCache } from '../../caching/response-cache/response-cache.js';
import { samplesBy, type Metric, type Sample } from '../metric.js';

const JOB_DURATIONS = 'pressroom_job_duration_seconds';

/** Metrics of the services in `src/platform`. */
export function serviceMetrics(
  app: INestApplicationContext,
  responses: ResponseCache['counts'],
): Metric[] {
  return [
    ...cacheMetrics(app, responses),
    ...accessMetrics(app),
    ...jobMetrics(app.get(BackgroundService)),
  ];
}

function cacheMetrics(app: INestApplicationContext, responses: ResponseCache['counts']): Metric[] {
  const { caches } = app.get(CacheCoherenceService);
  const lease = app.get(Lease);
  return [
    {
      name: 'pressroom_cache_lookups_total',
      type: 'counter',
      help: 'Lookups by cache and result; miss: read from the database; not-modified: a hit that was answered 304.',
      read: () =>
        caches.flatMap(({ name, hits, misses }) => {
          const notModified = name === RESPONSES ? responses.notModified : null;
          const results = {
            hit: hits - (notModified ?? 0),
            miss: misses,
            ...(notModified === null ? {} : { 'not-modified': notModified }),
          };
          return Object.entries(results).map(([result, value]) => ({
            value,
            labels: { cache: name, result },
          }));
        }),
    },
    {
      name: 'pressroom_cache_entries',
      type: 'gauge',
      help: 'Entries by cache.',
      read: () => caches.map(({ name, size }) => ({ value: size, labels: { cache: name } })),
    },
    {
      name: 'pressroom_response_cache_bytes',
      type: 'gauge',
      help: 'Size of the response cache.',
      read: () => [{ value: caches.find(({ name }) => name === RESPONSES)?.bytes ?? 0 }],
    },
    {
      name: 'pressroom_cache_lease',
      type: 'gauge',
      help: 'Processes that may answer from caches now; one without requests need not.',
      read: () => [{ value: Number(lease.isCurrent) }],
    },
    {
      name: 'pressroom_change_stream_lag_seconds',
      type: 'gauge',
      aggregator: 'max',
      help: 'How far the change stream is behind, as the last heartbeat has measured it.',
      read: () => (lease.lagMs === null ? [] : [{ value: lease.lagMs / 1_000 }]),
    },
  ];
}

function accessMetrics(app: INestApplicationContext): Metric[] {
  const throttle = app.get(LoginThrottleService);
  const limits = app.get(RateLimitService);
  return [
    {
      name: 'pressroom_overload_refusals_total',
      type: 'counter',
      help: 'Requests that were refused because the server had too much to do, by class.',
      read: () => samplesBy('class', app.get(LoadLimit).refusals),
    },
    {
      name: 'pressroom_signin_failures_total',
      type: 'counter',
      help: 'Wrong passwords, unknown addresses and disabled accounts.',
      read: () => [{ value: throttle.failedCount }],
    },
    {
      name: 'pressroom_rate_limit_refusals_total',
      type: 'counter',
      help: 'Requests that a rate limit has refused, by limit; signin: by a lockout.',
      read: () =>
        samplesBy('limit', {
          signin: throttle.refusedCount,
          signup: limits.refusedCounts.signup,
          contact: limits.refusedCounts.contact,
          'password-change': limits.refusedCounts.passwordChange,
          'account-deletion': limits.refusedCounts.accountDeletion,
        }),
    },
  ];
}

function jobMetrics(background: BackgroundService): Metric[] {
  const each = (samplesOf: (counts: JobCounts) => Sample[]): Sample[] =>
    [...background.counts].flatMap(([name, figures]) =>
      // The label is not `job`, because Prometheus adds a label of that name to everything that it scrapes.
      samplesOf(figures).map((sample) => ({ ...sample, labels: { job_name: name } })),
    );
  return [
    {
      name: JOB_DURATIONS,
      type: 'summary',
      help: 'Runs of background jobs, and their seconds, by job.',
      read: () =>
        each(({ seconds, runs }) => [
          { metricName: `${JOB_DURATIONS}_sum`, value: seconds },
          { metricName: `${JOB_DURATIONS}_count`, value: runs },
        ]),
    },
    {
      name: 'pressroom_job_failures_total',
      type: 'counter',
      help: 'Background jobs that have failed, by job.',
      read: () => each(({ failures }) => [{ value: failures }]),
    },
    {
      name: 'pressroom_job_last_success_timestamp_seconds',
      type: 'gauge',
      aggregator: 'max',
      help: 'When a background job has last done its work, by job.',
      read: () =>
        each(({ lastSuccessAt }) =>
          lastSuccessAt === null ? [] : [{ value: lastSuccessAt / 1_000 }],
        ),
    },
  ];
}
