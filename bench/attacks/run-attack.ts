import { startClient, type ClientProcess } from '../load/client-process.ts';
import { OPEN_LOOP, type OpenJob, type OpenReport } from '../load/open-loop.ts';
import type { Cpus } from '../support/machine/cpus.ts';
import { latenciesOf, quantile } from '../support/statistics.ts';
import type { Attack, Target } from './attack.ts';
import { figuresOf, type AttackReport, type Figures, type Reads, type Round } from './figures.ts';
import type { Form } from './thresholds.ts';
import { DEADLINE_MS, KEY_HEADER } from './kinds/senders.ts';
import { Watch } from './watch.ts';

/**
 * The priority of the attackers as in nice(1). In reality they have machines of their own, so they
 * must not take the core from the reader.
 */
const ATTACKERS_PRIORITY = 10;
const READS_PER_SECOND = 200;
const PROBES_PER_SECOND = 20;
/** What all open loops share. The connections are so many that no read waits, even while answers take seconds. */
const OPEN_JOB = { connections: 2_000, statuses: [200], deadlineMs: DEADLINE_MS };
/** Seconds in which the reader's process warms up, and V8 compiles in the server. */
const WARM_UP_SECONDS = { full: 5, short: 0.5 };
const QUIET_SECONDS = { full: 4, short: 2 };

interface RunningServers {
  readonly target: Target;
  /** URL of a server on the same core that nobody attacks. */
  readonly baselineUrl: string;
}

interface Clients {
  readonly reader: ClientProcess<OpenReport>;
  /** Asks for /health/live. */
  readonly probe: ClientProcess<OpenReport>;
  /** Asks a server that nobody attacks: its latency shows the delays of the machine itself. */
  readonly baselineProbe: ClientProcess<OpenReport>;
  readonly attackers: ClientProcess<AttackReport>;
}

/**
 * Measures a reader of one cached article in rounds: each measures the reader first alone, then during the attack.
 * @returns the figures; if the server ends during the attack, they cover the time until then
 */
export async function runAttack(
  attack: Attack,
  { target, baselineUrl }: RunningServers,
  { form, cpus }: { form: Form; cpus: Cpus },
): Promise<Figures> {
  const { server } = target;
  const started: ClientProcess<unknown>[] = [];
  const start = async <Report>(
    client: { module: string; priority?: number },
    job: object,
  ): Promise<ClientProcess<Report>> => {
    const process = await startClient<object, Report>(client, { url: server.url, ...job }, cpus);
    started.push(process);
    return process;
  };
  const probe = (address: string) => start<OpenReport>(OPEN_LOOP, probeJob(address, attack, form));
  const { module } = attack;
  try {
    const clients = {
      reader: await start<OpenReport>(OPEN_LOOP, await readerJob(target, attack, form)),
      probe: await probe(`${server.url}/health/live`),
      baselineProbe: await probe(`${baselineUrl}/ready`),
      attackers: await start<AttackReport>(
        { module, priority: ATTACKERS_PRIORITY },
        attack.job(target.content),
      ),
    };
    const before = await target.heapMegabytes();
    const rounds: Round[] = [];
    for (let round = 0; round < attack.rounds[form]; round += 1) {
      rounds.push(await measureRound(attack, target, clients, form));
      if (!server.isRunning) break;
    }
    const after = server.isRunning ? await target.heapMegabytes() : NaN;
    return figuresOf(rounds, { heap: { before, after }, ended: server.isRunning ? 0 : 1 });
  } finally {
    for (const client of started) client.stop();
  }
}

/** Describes the reader's work. The expected answer is fetched from the server, which also fills its cache. */
async function readerJob(
  { server: { url }, content }: Target,
  attack: Attack,
  form: Form,
): Promise<OpenJob> {
  const answer = await fetch(`${url}${content.article}`, { headers: KEY_HEADER });
  const request = { path: content.article, headers: KEY_HEADER, answer: await answer.text() };
  return {
    ...OPEN_JOB,
    url,
    requests: [request],
    rate: READS_PER_SECOND,
    seconds: attack.seconds[form],
    warmUpSeconds: WARM_UP_SECONDS[form],
  };
}

function probeJob(address: string, attack: Attack, form: Form): OpenJob {
  const { origin: url, pathname: path } = new URL(address);
  return {
    ...OPEN_JOB,
    url,
    requests: [{ path }],
    rate: PROBES_PER_SECOND,
    seconds: attack.seconds[form],
    warmUpSeconds: 0,
  };
}

async function measureRound(
  attack: Attack,
  target: Target,
  { reader, probe, baselineProbe, attackers }: Clients,
  form: Form,
): Promise<Round> {
  const { server } = target;
  const patience = attack.patienceSeconds?.[form] ?? 0;
  const quiet = readsOf(await reader.begin({ seconds: QUIET_SECONDS[form] }));
  const watch = new Watch(server, { countsConnections: patience > 0 });
  const readAndProbe = async () => {
    const seen = await Promise.all([reader.begin(), probe.begin(), baselineProbe.begin()]);
    if (patience > 0) await watch.untilCut(patience);
    attackers.endRun();
    return seen;
  };
  const [[reads, probes, baselineProbes], report] = await Promise.all([
    readAndProbe(),
    attackers.begin(),
  ]);
  const { rss, cut } = await watch.end();
  return {
    quiet,
    attacked: readsOf(reads),
    live: readsOf(probes),
    baseline: readsOf(baselineProbes),
    rss,
    cut,
    report,
  };
}

function readsOf({ latencies, problems }: OpenReport): Reads {
  if (problems.count > 0) console.error(`a read that failed: ${problems.sample}`);
  const max = quantile(latencies, 1);
  return { ...latenciesOf(latencies), max, failed: problems.count };
}
