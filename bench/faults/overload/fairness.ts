import { setTimeout as wait } from 'node:timers/promises';
import { fillTarget, type Content } from '../../attacks/content.ts';
import { chooseCpus } from '../../support/machine/cpus.ts';
import { zero, type Finding } from '../../support/findings.ts';
import { Pressroom } from '../../support/servers/pressroom.ts';
import { cycled, median, quantile } from '../../support/statistics.ts';
import { measureLoad, type LoadReport } from './load.ts';
import { textOf, type Sent } from './requests.ts';
import type { Fault, Form } from '../program.ts';

/** Number of articles. It is large enough for deep pages that skip more than 10,000. */
const ARTICLE_COUNT = 20_000;
const ROUNDS: Readonly<Record<Form, number>> = { reduced: 1, short: 3, long: 10 };
const SECONDS = 6;
/** Seconds by which the crowd's load is longer than the reader's: it begins earlier and ends later. */
const CROWD_EXTRA_SECONDS = 6;
const CROWD_SIZE = 50;
/** Niceness of the crowd's process. The reader has a higher priority, because a real crowd has its own machines. */
const CROWD_PRIORITY = 10;
const REQUESTS_PER_SECOND = 62;
const READERS_CONNECTIONS = 50;
const SLOWDOWN = 2;
/** Milliseconds by which other programs of the machine may delay the reader. */
const NOISE_MS = 10;
/** Addresses of the crowd, whose client prefix differs from the reader's. */
const CROWD_ADDRESSES = Array.from({ length: CROWD_SIZE }, (_, at) => `127.0.0.${at + 2}`);
const READERS_ADDRESS = ['127.0.1.1'];

/** Fifty clients of one client prefix ask for the most expensive reads, while a reader of another prefix reads. */
export const FAIRNESS: Fault = {
  name: 'fairness',
  isInReducedForm: false,
  async run(form) {
    const cpus = chooseCpus();
    const { call, mongod, url } = await Pressroom.start({ cpus });
    const content = await fillTarget(call, mongod, ARTICLE_COUNT);
    const requests = readerRequests(content);
    const readerJob = {
      url,
      requests,
      rate: REQUESTS_PER_SECOND,
      connections: READERS_CONNECTIONS,
      seconds: SECONDS,
      sources: READERS_ADDRESS,
    };
    const read = () => measureLoad(readerJob, cpus);
    const readDuringCrowd = async (round: number): Promise<Omit<Round, 'alone'>> => {
      const crowdJob = {
        url,
        requests: crowdRequests(content, round),
        sources: CROWD_ADDRESSES,
        seconds: SECONDS + CROWD_EXTRA_SECONDS,
        atATime: CROWD_SIZE,
      };
      const crowd = measureLoad(crowdJob, cpus, CROWD_PRIORITY);
      await wait(1_000);
      return { duringCrowd: await read(), crowd: await crowd };
    };
    const rounds = [];
    // The result of the first round is dropped: in it V8 compiles the code for the requests of reader and crowd.
    await readDuringCrowd(ROUNDS[form]);
    for (let round = 0; round < ROUNDS[form]; round += 1) {
      rounds.push({ alone: await read(), ...(await readDuringCrowd(round)) });
    }
    return [
      latencyRow('reads', 'read', rounds),
      latencyRow('searches', 'expensive-read', rounds),
      zero(
        'no request of the reader is refused',
        faultOf(rounds),
        rounds.flatMap(({ duringCrowd: { problems, statuses } }) => [
          ...problems,
          ...statuses.filter((status) => status !== 200).map(String),
        ]),
        rounds.flatMap(({ duringCrowd }) => duringCrowd.statuses).length,
      ),
    ];
  },
};

interface Round {
  readonly alone: LoadReport;
  readonly duringCrowd: LoadReport;
  readonly crowd: LoadReport;
}

function faultOf(rounds: readonly Round[]): string {
  const statuses = rounds.flatMap(({ crowd }) => crowd.statuses);
  const served = statuses.filter((status) => status === 200).length;
  return `${CROWD_SIZE} clients with one prefix: ${served} expensive reads, ${statuses.length - served} refused`;
}

function latencyRow(what: string, kind: Sent['kind'], rounds: readonly Round[]): Finding {
  const p99Of = ({ latencies, kinds }: LoadReport) =>
    quantile(
      latencies.filter((_, at) => kinds[at] === kind),
      0.99,
    );
  const p99 = (reports: readonly LoadReport[]) => median(reports.map(p99Of));
  const alone = p99(rounds.map((round) => round.alone));
  const duringCrowd = p99(rounds.map((round) => round.duringCrowd));
  return {
    what: `latency of a reader's ${what} while the crowd reads`,
    group: faultOf(rounds),
    threshold: `p99 ≤ ${SLOWDOWN} x alone, or ${NOISE_MS} ms more`,
    measured: `${duringCrowd.toFixed(1)} ms, alone ${alone.toFixed(1)} ms`,
    isMet: duringCrowd <= Math.max(SLOWDOWN * alone, alone + NOISE_MS),
  };
}

function get(kind: Sent['kind'], path: string): Sent {
  return { kind, text: textOf('GET', path) };
}

/**
 * The reader's requests: a cached article, an uncached article and an uncached list in turn, and a search after
 * every 30.
 */
function readerRequests({ article, ids }: Content): readonly Sent[] {
  return ids
    .slice(0, 300)
    .flatMap((id, at) => [
      get('read', article),
      get('read', `/blog/id/${id}?uncached`),
      get('read', `/blogs/tag/bench?limit=20&page=${1 + (at % 20)}&uncached`),
      ...(at % 10 === 9 ? [get('expensive-read', `/blogs/search?q=reader${at}+words&n`)] : []),
    ]);
}

/** The crowd's requests of one round. All requests of all rounds differ, so no cache answers any. */
function crowdRequests({ ids }: Content, round: number): readonly Sent[] {
  const count = 2_000;
  return Array.from({ length: count }, (_, index) => {
    const at = round * count + index;
    const paths = [
      `/blogs/latest?page=${101 + (at % 100)}&limit=${99 + (at % 2)}&n=${at}`,
      `/blogs/tag/attack?total=true&limit=${1 + (at % 100)}&n=${at}`,
      `/blogs/similar/id/${cycled(ids, at)}?n=${at}`,
      `/blogs/search?q=one+of+many+articles+words+${at}&n`,
    ];
    return get('expensive-read', cycled(paths, at));
  });
}
