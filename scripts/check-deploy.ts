import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { namesNotServed, queriesAsRules, servedMetrics, untestedAlerts } from './deploy/metrics.ts';
import { prepareTools } from './deploy/tools.ts';
import { messageOf } from './support/user-error.ts';

/**
 * Largest exposure that `systemd-analyze` may report, on its scale to 10. It is not 0, because a server needs the
 * network, and V8 compiles code at run time.
 */
const SYSTEMD_EXPOSURE_MAX = 1.5;

const ALERTS = 'deploy/prometheus/alerts.yaml';
const ALERT_TESTS = 'deploy/prometheus/alerts.test.yaml';
const DASHBOARD = 'deploy/grafana/pressroom.json';
const UNIT = 'deploy/systemd/pressroom.service';
const KUBERNETES = 'deploy/kubernetes';
const NGINX = 'deploy/nginx/pressroom.conf';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
buildIfStale();
const [run, served] = await Promise.all([prepareTools(), servedMetrics()]);

function expectNone(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error(`${what}: ${found.join(', ')}`);
}

function inFolder(check: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-deploy-'));
  try {
    check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Checks the queries of the dashboard. promtool can read them only as rules, from a file. */
function checkQueries(folder: string): void {
  const file = join(folder, 'rules.json');
  writeFileSync(file, queriesAsRules(DASHBOARD));
  run('promtool', ['check', 'rules', file]);
}

/** Checks the configuration of nginx. nginx also reads the certificate, so the check makes one. */
function checkNginx(folder: string): void {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=api.example.org', '-keyout', key, '-out', certificate];
  run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject]);
  const site = readFileSync(NGINX, 'utf8').replaceAll('/etc/ssl/pressroom', folder);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`);
  const output = run('nginx', ['-t', '-e', join(folder, 'log'), '-p', folder, '-c', file]);
  expectNone(
    'warnings',
    output.split('\n').filter((line) => line.includes('[warn]')),
  );
}

const manifests = readdirSync(KUBERNETES).map((file) => join(KUBERNETES, file));

/** The checks by name. A check that fails throws. */
const CHECKS: Readonly<Record<string, () => unknown>> = {
  'the metrics that are served': () => run('promtool', ['check', 'metrics'], served),
  'the configuration of Prometheus, and the alerts': () =>
    run('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml']),
  'the tests of the alerts': () => run('promtool', ['test', 'rules', ALERT_TESTS]),
  'a test for each alert': () => expectNone('without a test', untestedAlerts(ALERTS, ALERT_TESTS)),
  'the queries of the dashboard': () => inFolder(checkQueries),
  'the metrics of the dashboard': () => expectNone('not served', namesNotServed(DASHBOARD, served)),
  'the metrics of the alerts': () => expectNone('not served', namesNotServed(ALERTS, served)),
  // systemd-analyze only prints the directives that it ignores, and exits with 0.
  'the unit of systemd': () =>
    expectNone('warnings', [run('systemd-analyze', ['verify', UNIT])].filter(Boolean)),
  [`the exposure of the unit, at most ${SYSTEMD_EXPOSURE_MAX}`]: () =>
    run('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      `--threshold=${SYSTEMD_EXPOSURE_MAX * 10}`,
      UNIT,
    ])
      .trim()
      .split('\n')
      .at(-1),
  'the manifests of Kubernetes': () => run('kubernetes-validate', ['--strict', ...manifests]),
  'the configuration of nginx': () => inFolder(checkNginx),
  'the Dockerfile': () => run('hadolint', ['Dockerfile']),
};

let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  try {
    const output = check();
    console.log(`ok: ${name}${name.startsWith('the exposure') ? ` (${String(output)})` : ''}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}\n${messageOf(error)}`);
  }
}
console.log(`${Object.keys(CHECKS).length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
