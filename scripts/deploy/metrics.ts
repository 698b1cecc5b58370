import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startOwnServer } from '../support/own-server.ts';

const DEADLINE_MS = 10_000;

/** @returns the metrics of a server with METRICS_PORT, as text */
export async function servedMetrics(): Promise<string> {
  const server = await startOwnServer({ env: { METRICS_PORT: '0', LOG_LEVEL: 'info' } });
  try {
    await server.call('GET', '/blogs/latest');
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const url = /http:[^"\s]+\/metrics/.exec(server.readLog())?.[0];
      if (url) return await (await fetch(url)).text();
      if (performance.now() > deadline) throw new Error('the server serves no metrics');
      await wait(50);
    }
  } finally {
    await server.stop();
  }
}

/**
 * Finds the metrics that a file mentions and the server does not have. The suffixes of histograms (`_bucket`,
 * `_sum`, `_count`) are ignored.
 */
export function namesNotServed(file: string, served: string): string[] {
  const names = new Set(served.match(/(?<=^# TYPE )\w+/gm));
  const mentioned = readFileSync(file, 'utf8').match(/\b(?:pressroom|nodejs|process)_\w+/g) ?? [];
  if (mentioned.length === 0) throw new Error(`${file} mentions no metric`);
  return [...new Set(mentioned)].filter(
    (name) => !names.has(name) && !names.has(name.replace(/_(?:bucket|sum|count)$/, '')),
  );
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** @returns the queries of a dashboard as recording rules, which promtool can parse */
export function queriesAsRules(dashboard: string): string {
  const { panels } = JSON.parse(readFileSync(dashboard, 'utf8')) as { panels: Panel[] };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rules = queries.map((expr, at) => ({
    record: `panel:query:${at}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.+'),
  }));
  return JSON.stringify({ groups: [{ name: 'dashboard', rules }] });
}

/** @returns the alerts that fire in no test */
export function untestedAlerts(rules: string, tests: string): string[] {
  const expectations = readFileSync(tests, 'utf8').split(/^ +- eval_time/m);
  const alerts = readFileSync(rules, 'utf8').match(/(?<=- alert: )\w+/g) ?? [];
  return alerts.filter(
    (alert) => !expectations.some((text) => text.includes(alert) && text.includes('exp_labels')),
  );
}
