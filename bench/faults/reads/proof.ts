import { setTimeout as wait } from 'node:timers/promises';
import type { Bed } from '../bed/bed.ts';
import { Client, Ledger, time } from '../bed/client.ts';
import type { Member } from '../bed/member.ts';
import type { Form, Row } from '../program.ts';
import type { Published } from '../shown/publisher.ts';
import { read, type Seen } from '../shown/readers.ts';
import { TrackedArticle, type Tokens } from '../writes/tracked-article.ts';
import { zero } from '../report.ts';

const READERS_A_SERVER = 3;
const BEFORE_MS = 500;
const AFTERWARDS_MS = 2_500;

interface Stage {
  readonly bed: Bed;
  readonly primary: Member;
  /** Unpublishes the article by the first server, and resolves when that is acknowledged. */
  readonly unpublish: () => Promise<void>;
}

/** The states of the replica set in which a member could show what was unpublished. */
const PROOFS: readonly {
  readonly fault: string;
  /** Whether the reduced form has it. */
  readonly isReduced: boolean;
  readonly run: (stage: Stage) => Promise<void>;
}[] = [
  {
    ...{ fault: 'lagging secondary, primary killed', isReduced: true },
    async run({ bed: { replicaSet }, primary, unpublish }) {
      const [lagging] = await replicaSet.secondaries();
      await lagging?.failPoint('rsSyncApplyStop', 'alwaysOn');
      await unpublish();
      await primary.kill();
      await wait(AFTERWARDS_MS);
      await lagging?.failPoint('rsSyncApplyStop', 'off');
      await replicaSet.primary(primary);
    },
  },
  {
    ...{ fault: 'paused primary comes back', isReduced: false },
    async run({ bed: { replicaSet }, primary, unpublish }) {
      await primary.suspend();
      await replicaSet.primary(primary);
      await unpublish();
      await wait(BEFORE_MS);
      primary.resume();
      await wait(AFTERWARDS_MS);
    },
  },
  {
    ...{ fault: 'paused primary comes back, one server reaches it alone', isReduced: true },
    async run({ bed: { replicaSet, network, servers }, primary, unpublish }) {
      const { party } = servers[1] ?? { party: 'other' };
      const others = replicaSet.members.filter((member) => member !== primary);
      await network.disturb(
        ...others.map(({ party: member }) => ({
          ...{ member, effect: 'hold' as const, parties: [party] },
        })),
      );
      await primary.suspend();
      await replicaSet.primary(primary);
      await unpublish();
      // Longer than the second in which the other server may still show it.
      await wait(BEFORE_MS + 1_000);
      primary.resume();
      await wait(AFTERWARDS_MS);
    },
  },
];

/** Readers of both servers never see an article whose unpublication was acknowledged. */
export async function prove(bed: Bed, tokens: Tokens, form: Form): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [at, { fault, isReduced, run }] of PROOFS.entries()) {
    if (form === 'reduced' && !isReduced) continue;
    console.error(`${time()} ${fault}`);
    const ledger = new Ledger();
    ledger.mayLose = true;
    const clients = bed.servers.map(({ url }) => new Client(url, ledger));
    const [first] = clients as [Client];
    const marker = `proof${at}x`;
    const article = await TrackedArticle.create(() => first, tokens, { marker, tag: 'shown' });
    await article.move('submit');
    await article.move('publish');
    const published: Published = { hidden: [], articles: [article], errors: [] };
    const seen: Seen = { reads: 0, afterAcknowledgement: [], elsewhere: [], drafts: [] };
    let isOver = false;
    const readers = clients.flatMap((client) =>
      Array.from({ length: READERS_A_SERVER }, () =>
        read(seen, published, { client, isOver: () => isOver }),
      ),
    );
    await wait(BEFORE_MS);
    const unpublish = async () => {
      const move = await article.move('unpublish');
      const by = move?.how === 'acknowledged' ? first : null;
      published.hidden.push({ article, from: performance.now(), by, until: Infinity });
    };
    await run({ bed, primary: await bed.replicaSet.primary(), unpublish });
    await bed.heal();
    await wait(BEFORE_MS);
    isOver = true;
    await Promise.all(readers);
    const violations = [...seen.afterAcknowledgement, ...seen.elsewhere, ...article.violations];
    rows.push(zero('unpublished stays unpublished', fault, violations, seen.reads));
  }
  return rows;
}
