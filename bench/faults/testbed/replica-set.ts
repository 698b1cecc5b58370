import { freePort } from '../../../scripts/support/network/free-port.ts';
import { foundMongod } from '../../support/servers/mongo.ts';
import { until } from '../../support/timing.ts';
import { Member, REPLICA_SET } from './member.ts';
import type { Network } from './network.ts';

const HEARTBEAT_MS = 500;
/** Milliseconds that a new replica set waits before its first election. */
const ELECTION_MS = 2_000;
const HEAL_MS = 90_000;

/** A replica set whose members know each other by the addresses of their proxies. */
export class ReplicaSet {
  readonly members: readonly Member[];
  readonly #network: Network;

  private constructor(members: readonly Member[], network: Network) {
    this.members = members;
    this.#network = network;
  }

  /** Starts a replica set that ends with the program. */
  static async start(
    network: Network,
    electionTimeoutMillis: number,
    count: number,
  ): Promise<ReplicaSet> {
    const { path: binary } = await foundMongod();
    const members: Member[] = [];
    for (let index = 0; index < count; index += 1) {
      const port = await freePort();
      const proxyPort = await network.openProxy(`member-${index}`, port);
      members.push(new Member(network, index, { binary, port, proxyPort }));
    }
    await Promise.all(members.map((member) => member.start()));
    await members[0]?.command({
      replSetInitiate: {
        _id: REPLICA_SET,
        members: members.map(({ host }, _id) => ({ _id, host })),
        settings: { electionTimeoutMillis: ELECTION_MS, heartbeatIntervalMillis: HEARTBEAT_MS },
      },
    });
    const replicaSet = new ReplicaSet(members, network);
    await replicaSet.untilWhole();
    if (electionTimeoutMillis !== ELECTION_MS)
      await replicaSet.setElectionTimeout(electionTimeoutMillis);
    return replicaSet;
  }

  /** The URI for the servers, with the addresses of the members' proxies. */
  get uri(): string {
    const hosts = this.members.map(({ host }) => host).join(',');
    return `mongodb://${hosts}/pressroom?replicaSet=${REPLICA_SET}`;
  }

  /** Waits for a primary. @param ignored a member to ignore, which may still believe that it is the primary */
  async primary(ignored?: Member, withinMs = HEAL_MS): Promise<Member> {
    const candidates = this.members.filter((member) => member !== ignored);
    let primary: Member | undefined;
    const isElected = async () => {
      const hellos = await Promise.all(candidates.map((member) => member.hello()));
      primary = candidates.find((_, at) => hellos[at]?.isWritablePrimary);
      return primary !== undefined;
    };
    await until('a primary', isElected, { withinMs });
    return primary as unknown as Member;
  }

  async secondaries(): Promise<readonly Member[]> {
    const primary = await this.primary();
    return this.members.filter((member) => member !== primary);
  }

  /** Sets the time that secondaries wait before they elect another primary. */
  async setElectionTimeout(electionTimeoutMillis: number): Promise<void> {
    const primary = await this.primary();
    const { config } = await primary.command({ replSetGetConfig: 1 });
    const { version, settings } = config as { version: number; settings: object };
    const changed = { version: version + 1, settings: { ...settings, electionTimeoutMillis } };
    await primary.command({ replSetReconfig: { ...(config as object), ...changed } });
    await this.untilWhole();
  }

  /** Undoes every fault, and waits for a primary and secondaries that have caught up. */
  async heal(): Promise<void> {
    await this.#network.heal();
    for (const member of this.members) member.resume();
    await Promise.all(
      this.members.filter(({ isRunning }) => !isRunning).map((member) => member.start()),
    );
    await this.untilWhole();
  }

  /** Waits until there is one primary and all secondaries are at most two seconds behind it. */
  untilWhole(): Promise<void> {
    return until('a whole replica set', () => this.#isWhole(), { withinMs: HEAL_MS });
  }

  async #isWhole(): Promise<boolean> {
    const hellos = await Promise.all(this.members.map((member) => member.hello()));
    const primaries = hellos.filter((hello) => hello?.isWritablePrimary);
    const reached = primaries[0]?.lastWrite?.opTime.ts;
    if (primaries.length !== 1 || !reached) return false;
    const secondaries = hellos.filter((hello) => hello?.secondary);
    // Writes may go on, so a member that is up to two seconds behind counts as caught up.
    const isNear = secondaries.every(
      (hello) => reached.getHighBits() - (hello?.lastWrite?.opTime.ts.getHighBits() ?? 0) <= 2,
    );
    return secondaries.length === this.members.length - 1 && isNear;
  }
}
