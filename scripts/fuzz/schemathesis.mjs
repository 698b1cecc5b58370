import { spawn } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CREDENTIALS } from '../own-server.mjs';
import { IDENTITIES } from './world.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const CONFIG = join(FOLDER, 'schemathesis.toml');

/** schemathesis ends within this after its time is up. */
const GRACE_SECONDS = 30;

/** Everything once; a later round of the same identity repeats only what makes new cases. */
const PHASES = { first: 'examples,coverage,fuzzing,stateful', later: 'fuzzing,stateful' };

/**
 * Runs schemathesis as one identity.
 *
 * @param job `{number, identity, seconds, seed, isFirst}`
 * @param context `{python, url, world, folder, children}`; its own files go below `folder`, and the
 * process is in `children` while it runs
 * @returns `{cases, failures, answers, letIn, report}`: `answers` counts statuses by operation, `letIn`
 * how often the identity's own credentials were needed and did; `report` is text for people, empty
 * when nothing failed
 */
export async function runSchemathesis(job, { python, url, world, folder, children }) {
  const own = join(folder, `job-${job.number}`);
  mkdirSync(own);
  const files = Object.fromEntries(
    ['run.json', 'answers.json', 'report.json', 'schemathesis.toml', 'output.txt'].map((name) => [
      name.replace(/\..*/, ''),
      join(own, name),
    ]),
  );
  writeFileSync(files.schemathesis, configOf(world));
  writeFileSync(files.run, JSON.stringify(runOf(job, { url, world, files })), { mode: 0o600 });
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', files.schemathesis, 'run'],
    ...[`${url}/openapi.json`, '--no-color', '--seed', String(job.seed)],
    ...['--max-time', String(job.seconds), '--phases', job.isFirst ? PHASES.first : PHASES.later],
    ...['--report-json-path', files.report],
  ];
  const env = {
    ...process.env,
    PYTHONPATH: [...python.path, FOLDER].join(delimiter),
    // Nothing is left behind beside the hooks.
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_RUN: files.run,
  };
  const code = await run(python.program, args, {
    env,
    cwd: own,
    output: files.output,
    timeout: (job.seconds + GRACE_SECONDS) * 1_000,
    children,
  });
  return summaryOf(code, files);
}

/** @returns the committed settings, and the seeded values as dictionaries */
function configOf({ known }) {
  const dictionaries = Object.entries(known).map(
    ([name, values]) => `\n[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`,
  );
  return readFileSync(CONFIG, 'utf8') + dictionaries.join('');
}

function runOf({ identity, seed }, { url, world, files }) {
  return {
    url,
    seed,
    apiKey: CREDENTIALS.apiKey,
    root: { email: CREDENTIALS.email, password: CREDENTIALS.password },
    roles: IDENTITIES[identity],
    person: world.people[identity],
    kept: world.kept,
    victims: world.victims,
    answersFile: files.answers,
  };
}

async function run(program, args, { env, cwd, output, timeout, children }) {
  const target = openSync(output, 'w', 0o600);
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', target, target], timeout });
  closeSync(target);
  children.add(child);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(code ?? signal));
    });
  } finally {
    children.delete(child);
  }
}

function summaryOf(code, { report, answers, output }) {
  const text = readFileSync(output, 'utf8');
  if (!existsSync(report) || !existsSync(answers)) {
    return {
      cases: 0,
      failures: 1,
      answers: {},
      letIn: 0,
      report: `schemathesis ended with ${code}:\n${text}`,
    };
  }
  const { test_cases: cases, errors } = JSON.parse(readFileSync(report, 'utf8'));
  const found = cases.unique_failures + errors.length;
  // It says 1 for failures; anything else means that it has not tested what it should.
  const failures = code === 0 || (code === 1 && found > 0) ? found : Math.max(found, 1);
  return {
    cases: cases.generated,
    failures,
    ...JSON.parse(readFileSync(answers, 'utf8')),
    report: failures > 0 ? detailsOf(text) : '',
  };
}

/** @returns the part of the output that tells of errors and failures, each with its curl line */
function detailsOf(text) {
  const start = text.search(/^=+ (?:ERRORS|FAILURES) =+$/m);
  const end = text.search(/^=+ WARNINGS =+$/m);
  const summary = text.search(/^=+ SUMMARY =+$/m);
  return text.slice(Math.max(start, 0), end > start ? end : summary > start ? summary : undefined);
}
