import { setTimeout as wait } from 'node:timers/promises';
import { cycled } from '../../support/statistics.ts';
import type { Testbed } from './testbed.ts';
import type { Ledger, Client } from './client.ts';
import type { Member } from './member.ts';
import type { Party, Rule } from './network.ts';

/** Milliseconds for which a fault lasts after another primary has been elected, or after a server was killed. */
const FAULT_LASTS_MS = 1_000;
const REPLIES_LOST_MS = 3_000;

export interface Stage {
  readonly testbed: Testbed;
  readonly ledger: Ledger;
  readonly clients: readonly Client[];
  /** Index of the fault in the run. */
  readonly at: number;
}

/** A fault. `run` begins it and resolves when it has lasted long enough; the caller then ends it by `testbed.heal`. */
export interface Disturbance {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<void>;
}

/** A fault that takes the primary away. It lasts until `lastsMs` after the election of another one. */
function primaryFault(
  name: string,
  lose: (primary: Member) => Promise<void>,
  lastsMs = FAULT_LASTS_MS,
): Disturbance {
  return {
    name,
    async run({ testbed: { replicaSet } }) {
      const primary = await replicaSet.primary();
      await lose(primary);
      await replicaSet.primary(primary);
      await wait(lastsMs);
    },
  };
}

export const PRIMARY_KILLED = primaryFault('primary killed', (primary) => primary.kill());
export const STEPPED_DOWN = primaryFault(
  'primary stepped down',
  (primary) => primary.stepDown(10),
  2 * FAULT_LASTS_MS,
);
const PRIMARY_PAUSED = primaryFault('primary paused', (primary) => primary.suspend());

export const SERVER_KILLED: Disturbance = {
  name: 'server killed',
  async run({ testbed: { servers }, ledger, at }) {
    ledger.mayLose = true;
    await cycled(servers, at).kill();
    await wait(FAULT_LASTS_MS);
  },
};

export const REPLIES_LOST: Disturbance = {
  name: 'replies lost',
  async run({ clients, ledger }) {
    ledger.mayLose = true;
    for (const client of clients) client.isImpatient = true;
    await wait(REPLIES_LOST_MS);
    for (const client of clients) client.isImpatient = false;
  },
};

/** A fault of the primary's connections. @param others returns the parties at the other end; all if left out */
function connectionFault(
  name: string,
  rule: Omit<Rule, 'member' | 'parties'>,
  others?: (primary: Party, stage: Stage) => readonly Party[],
): Disturbance {
  return {
    name,
    async run(stage) {
      const { replicaSet, network } = stage.testbed;
      const primary = await replicaSet.primary();
      const parties = others?.(primary.party, stage);
      await network.disturb({ member: primary.party, ...rule, ...(parties && { parties }) });
      await replicaSet.primary(primary);
      await wait(FAULT_LASTS_MS);
    },
  };
}

/** All parties except one server, which still reaches the cut-off primary and sends it writes. */
const ALL_BUT_ONE_SERVER = (_primary: Party, { testbed, at }: Stage): readonly Party[] => [
  ...testbed.replicaSet.members.map(({ party }) => party),
  ...testbed.servers
    .map(({ name }) => name)
    .filter((_, index) => index !== at % testbed.servers.length),
];

export const DISTURBANCES: readonly Disturbance[] = [
  PRIMARY_KILLED,
  STEPPED_DOWN,
  SERVER_KILLED,
  REPLIES_LOST,
  PRIMARY_PAUSED,
  connectionFault('primary cut off', { effect: 'cut' }),
  connectionFault('nothing reaches the primary', { effect: 'hold', direction: 'to' }),
  connectionFault('nothing leaves the primary', { effect: 'hold', direction: 'from' }),
  connectionFault('primary in the minority', { effect: 'cut' }, ALL_BUT_ONE_SERVER),
];
