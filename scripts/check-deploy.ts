import { readdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { namesNotServed, queriesAsRules, servedMetrics, untestedAlerts } from './deploy/metrics.ts';
import { prepareTools, type Run } from './deploy/tools.ts';
import { messageOf } from './support/user-error.ts';

/** Of 10; what is left is what any server needs: the network, and a compiler while it runs. */
const SYSTEMD_EXPOSURE_MAX = 1.5;

const ALERTS = 'deploy/prometheus/alerts.yaml';
const ALERT_TESTS = 'deploy/prometheus/alerts.test.yaml';
const DASHBOARD = 'deploy/grafana/pressroom.json';
const UNIT = 'deploy/systemd/pressroom.service';
const KUBERNETES = 'deploy/kubernetes';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
buildIfStale();
const [run, served] = await Promise.all([prepareTools(), servedMetrics()]);

function expectNone(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error(`${what}: ${found.join(', ')}`);
}

/** promtool reads rules from a file only. */
function checkQueries(promtool: Run): void {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-deploy-'));
  try {
    const file = join(folder, 'rules.json');
    writeFileSync(file, queriesAsRules(DASHBOARD));
    promtool('promtool', ['check', 'rules', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const manifests = readdirSync(KUBERNETES).map((file) => join(KUBERNETES, file));

/** Each throws when it fails. */
const CHECKS: Readonly<Record<string, () => unknown>> = {
  'the metrics that are served': () => run('promtool', ['check', 'metrics'], served),
  'the configuration of Prometheus, and the alerts': () =>
    run('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml']),
  'the tests of the alerts': () => run('promtool', ['test', 'rules', ALERT_TESTS]),
  'a test for each alert': () => expectNone('without a test', untestedAlerts(ALERTS, ALERT_TESTS)),
  'the queries of the dashboard': () => checkQueries(run),
  'the metrics of the dashboard': () => expectNone('not served', namesNotServed(DASHBOARD, served)),
  'the metrics of the alerts': () => expectNone('not served', namesNotServed(ALERTS, served)),
  // It says what it ignores, and succeeds.
  'the unit of systemd': () =>
    expectNone('warnings', [run('systemd-analyze', ['verify', UNIT])].filter(Boolean)),
  [`its exposure, at most ${SYSTEMD_EXPOSURE_MAX}`]: () =>
    run('systemd-analyze', [
      ...['security', '--offline=true', '--no-pager'],
      ...[`--threshold=${SYSTEMD_EXPOSURE_MAX * 10}`, UNIT],
    ])
      .trim()
      .split('\n')
      .at(-1),
  'the manifests of Kubernetes': () => run('kubernetes-validate', ['--strict', ...manifests]),
  'the Dockerfile': () => run('hadolint', ['Dockerfile']),
};

let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  try {
    const said = check();
    console.log(`ok: ${name}${name.startsWith('its exposure') ? ` (${String(said)})` : ''}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}\n${messageOf(error)}`);
  }
}
console.log(`${Object.keys(CHECKS).length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
