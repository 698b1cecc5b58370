import { percentile } from '../performance/rounds.mjs';
import { startLoad } from '../performance/load/open-loop.mjs';
import { CREDENTIALS } from '../../scripts/support/own-server.ts';
import { DEADLINE_MS } from './deadline.mjs';
import { figuresOf } from './figures.mjs';
import { Watch } from './watch.mjs';

const ATTACKER = new URL('attacker.child.mjs', import.meta.url);
const OPEN_LOOP = new URL('../performance/load/open.child.mjs', import.meta.url);
const READS_PER_SECOND = 200;
const PROBES_PER_SECOND = 20;
/** So many connections that no read waits for one, while the answers take seconds. */
const OPEN_JOB = { connections: 2_000, statuses: [200], deadlineMs: DEADLINE_MS };
/** Of the reader's process and of what V8 compiles in the server. */
const WARM_UP_SECONDS = { full: 5, short: 0.5 };
const QUIET_SECONDS = { full: 4, short: 2 };

/**
 * Makes an attack beside a reader of one cached article, in rounds: the reader alone, then beside it.
 *
 * An attack is an entry of `ATTACKS` of a module in `attacks/`:
 *   name
 *   module               the URL of that module, whose `attack(job, over)` runs in a process of its
 *                        own until `over` resolves, and returns `answers` (counts by name) and
 *                        `longestMs`
 *   rounds, seconds      how many, and how long at least, in the `full` and the `short` form
 *   patienceSeconds      for connections that stay: how long to wait until the server has cut them
 *   job(world)           what `attack` gets, beside `url`
 *   meanwhile(server, world)   what this process does during the attack; returns more figures
 *   bars({ isShort })    what is asked for, see bars.mjs
 *
 * @returns its figures (figures.mjs); those of a server that has ended go as far as they came
 */
export async function runAttack(attack, { server, isShort, cpus }) {
  const form = isShort ? 'short' : 'full';
  const seconds = attack.seconds[form];
  const { url, world } = server;
  const loads = [];
  const start = async (program, job) => {
    const load = await startLoad(program, { url, ...job }, cpus);
    loads.push(load);
    return load;
  };
  try {
    const reader = await start(OPEN_LOOP, await readerJob(server, seconds, form));
    const probe = await start(OPEN_LOOP, {
      requests: [{ path: '/health/live' }],
      ...{ ...OPEN_JOB, rate: PROBES_PER_SECOND, seconds, warmUpSeconds: 0 },
    });
    const attackers = await start(ATTACKER, { module: attack.module, ...attack.job(world) });
    const parts = {
      ...{ reader, probe, attackers, quietSeconds: QUIET_SECONDS[form] },
      patience: attack.patienceSeconds?.[form] ?? 0,
    };
    const heapBefore = await server.heapMegabytes();
    const rounds = [];
    for (let round = 0; round < attack.rounds[form]; round += 1) {
      rounds.push(await measureRound(attack, server, parts));
      if (!server.isRunning()) break;
    }
    return figuresOf(rounds, {
      heap: { before: heapBefore, after: server.isRunning() ? await server.heapMegabytes() : null },
      ended: server.isRunning() ? 0 : 1,
    });
  } finally {
    for (const load of loads) load.stop();
  }
}

/** @returns a job of open.child.mjs; the article is in the cache then */
async function readerJob({ url, world }, seconds, form) {
  const headers = { 'x-api-key': CREDENTIALS.apiKey };
  const answer = await (await fetch(`${url}${world.article}`, { headers })).text();
  return {
    requests: [{ path: world.article, headers, answer }],
    ...{ ...OPEN_JOB, rate: READS_PER_SECOND, seconds, warmUpSeconds: WARM_UP_SECONDS[form] },
  };
}

async function measureRound(attack, server, { reader, probe, attackers, quietSeconds, patience }) {
  const quiet = readsOf(await reader.begin({ seconds: quietSeconds }));
  const watch = new Watch(server, { countsConnections: patience > 0 });
  const beside = async () => {
    const seen = await Promise.all([
      reader.begin(),
      probe.begin(),
      server.isRunning() ? attack.meanwhile?.(server, server.world) : undefined,
    ]);
    if (patience > 0) await watch.untilCut(patience);
    attackers.tell('enough');
    return seen;
  };
  const [[reads, probes, more], { answers, longestMs, opened = 0 }] = await Promise.all([
    beside(),
    attackers.begin(),
  ]);
  const { rss, cut } = await watch.end();
  const attacked = readsOf(reads);
  return {
    quiet,
    attacked,
    live: readsOf(probes),
    answers,
    rss,
    cut: { ...cut, opened },
    ...more,
    longestSeconds: Math.max(longestMs, attacked.max) / 1_000,
  };
}

/** What the figures are made of, from a report of open.child.mjs. */
function readsOf({ latencies, problems }) {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latencies, share));
  return { p50, p99, max, failed: problems.count };
}
