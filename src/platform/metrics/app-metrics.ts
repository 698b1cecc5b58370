import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import type { Metric as PromMetric } from 'prom-client';
import { BACKGROUND } from '../database/client-options.js';
import type { ResponseCache } from '../caching/response-cache/response-cache.js';
import { valuesOf, type Metric, type MetricValues } from './metric.js';
import { MongoMetrics } from './sources/mongo-metrics.js';
import { defaultMetrics, PROCESS_METRICS } from './sources/process-metrics.js';
import { RequestMetrics } from './sources/request-metrics.js';
import { serviceMetrics } from './sources/service-metrics.js';

/** The metrics of one process that answers requests. The object exists only with METRICS_PORT. */
export class AppMetrics {
  readonly requests = new RequestMetrics();
  private readonly registry = defaultMetrics();

  constructor() {
    this.add(PROCESS_METRICS);
    this.add(this.requests.metrics);
  }

  /**
   * Starts counting by route, and adds the metrics of MongoDB, the services and the features. Call it after
   * all plugins that may answer are registered, and before the routes are.
   */
  observe(
    app: INestApplicationContext,
    fastify: FastifyInstance,
    { counts }: ResponseCache,
    featureMetrics: readonly Metric[],
  ): void {
    const mongo = new MongoMetrics();
    mongo.watch('requests', app.get<Connection>(getConnectionToken()).getClient());
    mongo.watch('background', app.get<Connection>(getConnectionToken(BACKGROUND)).getClient());
    this.requests.countByRoute(fastify);
    this.add(mongo.metrics);
    this.add(serviceMetrics(app, counts));
    this.add(featureMetrics);
  }

  /** The metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** The metrics as values that can be added to those of other processes. */
  values(): Promise<readonly MetricValues[]> {
    return this.registry.getMetricsAsJSON() as unknown as Promise<readonly MetricValues[]>;
  }

  private add(metrics: readonly Metric[]): void {
    for (const metric of metrics) {
      // When it aggregates, prom-client itself registers objects of this form, although its types do not
      // allow it.
      const { name, type } = metric;
      const promMetric = { name, type, get: () => valuesOf(metric) };
      this.registry.registerMetric(promMetric as unknown as PromMetric);
    }
  }
}
