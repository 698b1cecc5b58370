import type { Env } from '../config/env.js';
import type { AppMetrics } from './app-metrics.js';

/**
 * Creates the metrics of this process.
 *
 * @returns null without METRICS_PORT: then nothing is counted, and prom-client is not even loaded
 */
export async function createMetrics({
  METRICS_PORT,
}: Pick<Env, 'METRICS_PORT'>): Promise<AppMetrics | null> {
  if (METRICS_PORT === undefined) return null;
  const { AppMetrics } = await import('./app-metrics.js');
  return new AppMetrics();
}
