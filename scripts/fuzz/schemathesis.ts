import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, closeSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CREDENTIALS } from '../support/own-server.ts';
import type { Python } from '../support/python.ts';
import { IDENTITIES, type IdentityName, type TestData } from './test-data.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const CONFIG = join(FOLDER, 'schemathesis.toml');

/** Seconds that schemathesis may take to end after its `--max-time`. */
const GRACE_SECONDS = 30;

/** The phases of a job. Later jobs of an identity run only the phases that generate new cases. */
const PHASES = { first: 'examples,coverage,fuzzing,stateful', later: 'fuzzing,stateful' };

export interface Job {
  readonly number: number;
  readonly identity: IdentityName;
  readonly seconds: number;
  readonly seed: number;
  /** Whether this is the first job of its identity. */
  readonly isFirst: boolean;
}

export interface JobContext {
  readonly python: Python;
  /** The URL of the server. */
  readonly url: string;
  readonly testData: TestData;
  /** The parent of the jobs' folders. */
  readonly folder: string;
  /** The running processes of schemathesis. */
  readonly children: Set<ChildProcess>;
}

export interface Outcome {
  readonly cases: number;
  readonly failures: number;
  /** Number of answers with each status, by operation. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Number of responses with status 200 from operations that require every credential the identity has. */
  readonly accepted: number;
  /** Text for the terminal; empty when nothing failed. */
  readonly report: string;
}

/** Runs schemathesis as one identity. */
export async function runSchemathesis(
  job: Job,
  { python, url, testData, folder, children }: JobContext,
): Promise<Outcome> {
  const jobFolder = join(folder, `job-${job.number}`);
  mkdirSync(jobFolder);
  const files = {
    run: join(jobFolder, 'run.json'),
    answers: join(jobFolder, 'answers.json'),
    report: join(jobFolder, 'report.json'),
    config: join(jobFolder, 'schemathesis.toml'),
    output: join(jobFolder, 'output.txt'),
  };
  writeFileSync(files.config, configOf(testData));
  const run = runOf(job, { url, testData, answersFile: files.answers });
  writeFileSync(files.run, JSON.stringify(run), { mode: 0o600 });
  const args = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    files.config,
    'run',
    `${url}/openapi.json`,
    '--no-color',
    '--seed',
    String(job.seed),
    '--max-time',
    String(job.seconds),
    '--phases',
    job.isFirst ? PHASES.first : PHASES.later,
    '--report-json-path',
    files.report,
    // Webhooks are left out, because one with a generated URL would call hosts of others.
    '--exclude-path-regex',
    '^/admin/webhooks',
  ];
  const env = {
    ...process.env,
    PYTHONPATH: [...python.path, FOLDER].join(delimiter),
    // The variable keeps Python from writing `__pycache__` next to the hooks.
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_RUN: files.run,
  };
  const options = { env, cwd: jobFolder, timeout: (job.seconds + GRACE_SECONDS) * 1_000 };
  const code = await runProgram(python.program, args, options, files.output, children);
  return summaryOf(code, files);
}

/** @returns the committed settings, and the seeded values as dictionaries */
function configOf({ knownValues }: TestData): string {
  const dictionaries = Object.entries(knownValues).map(
    ([name, values]) => `\n[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`,
  );
  return readFileSync(CONFIG, 'utf8') + dictionaries.join('');
}

/** @returns the input of the hooks in pressroom.py */
function runOf(
  { identity, seed }: Job,
  { url, testData, answersFile }: { url: string; testData: TestData; answersFile: string },
): object {
  return {
    url,
    seed,
    apiKey: CREDENTIALS.apiKey,
    root: { email: CREDENTIALS.email, password: CREDENTIALS.password },
    roles: IDENTITIES[identity],
    person: testData.people[identity],
    needed: testData.needed,
    spare: testData.spare,
    answersFile,
  };
}

/**
 * @param output the file for the program's output
 * @param children the running processes; contains the program while it runs
 * @returns its exit code, or the signal that ended it
 */
async function runProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  output: string,
  children: Set<ChildProcess>,
): Promise<number | NodeJS.Signals | null> {
  const target = openSync(output, 'w', 0o600);
  const child = spawn(program, args, { ...options, stdio: ['ignore', target, target] });
  closeSync(target);
  children.add(child);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? signal;
  } finally {
    children.delete(child);
  }
}

/** The members of schemathesis's report that are used here. */
interface Report {
  readonly test_cases: { readonly generated: number; readonly unique_failures: number };
  readonly errors: readonly unknown[];
}

function summaryOf(
  code: number | string | null,
  { report, answers, output }: Record<'report' | 'answers' | 'output', string>,
): Outcome {
  const text = readFileSync(output, 'utf8');
  if (!existsSync(report) || !existsSync(answers)) {
    const ended = `schemathesis ended with ${code}:\n${text}`;
    return { cases: 0, failures: 1, answers: {}, accepted: 0, report: ended };
  }
  const { test_cases: cases, errors } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const found = cases.unique_failures + errors.length;
  // Exit code 1 means failures. Any other code than 0 and 1 means that the tests were not completed.
  const failures = code === 0 || (code === 1 && found > 0) ? found : Math.max(found, 1);
  return {
    cases: cases.generated,
    failures,
    ...(JSON.parse(readFileSync(answers, 'utf8')) as Pick<Outcome, 'answers' | 'accepted'>),
    report: failures > 0 ? detailsOf(text) : '',
  };
}

/** @returns the part of the output with errors and failures, each with its curl command */
function detailsOf(text: string): string {
  const start = text.search(/^=+ (?:ERRORS|FAILURES) =+$/m);
  const end = text.search(/^=+ WARNINGS =+$/m);
  const summary = text.search(/^=+ SUMMARY =+$/m);
  return text.slice(Math.max(start, 0), end > start ? end : summary > start ? summary : undefined);
}
