import { Worker } from 'node:worker_threads';
import { atEnd } from '../../support/program.ts';

/** The party at an end of a connection: `member-0`, `server-1` and so on, or `other`. */
export type Party = string;

/** A disturbance of the connections of a member, including those that it opened to other members. */
export interface Rule {
  readonly member: Party;
  /** `cut`: connections are reset, new ones too. `hold`: they stay open, but nothing arrives until the rule ends. */
  readonly effect: 'cut' | 'hold';
  /** The disturbed direction, from the member's view; `both` if left out. A cut affects both. */
  readonly direction?: 'to' | 'from' | 'both';
  /** Disturbs only connections with these parties; with all if left out. */
  readonly parties?: readonly Party[];
}

export type Task =
  | { readonly rules: readonly Rule[] }
  | { readonly parties: Readonly<Record<number, Party>> }
  | { readonly member: Party; readonly port: number };

/** The network of the testbed: all traffic between members, and from servers to members, passes through it. */
export class Network {
  readonly #worker = new Worker(new URL('network.thread.ts', import.meta.url));
  readonly #waiting = new Map<number, (result: number) => void>();
  readonly #parties = new Map<Party, number>();
  #lastTaskId = 0;

  constructor() {
    this.#worker.on('message', ({ id, result }: { id: number; result: number }) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
    this.#worker.on('error', (error) => {
      throw error;
    });
    atEnd(() => this.#worker.terminate());
  }

  /** @param port the member's port @returns the port of a proxy in front of the member */
  openProxy(member: Party, port: number): Promise<number> {
    return this.#perform({ member, port });
  }

  /** Registers the process of a member or server. Call it again after each start. */
  async register(party: Party, pid: number): Promise<void> {
    this.#parties.set(party, pid);
    const partiesByPid = [...this.#parties].map(([name, id]) => [id, name] as const);
    await this.#perform({ parties: Object.fromEntries(partiesByPid) });
  }

  /** Replaces all rules. Without rules, the network is undisturbed. */
  async disturb(...rules: readonly Rule[]): Promise<void> {
    await this.#perform({ rules });
  }

  heal(): Promise<void> {
    return this.disturb();
  }

  #perform(task: Task): Promise<number> {
    const id = (this.#lastTaskId += 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker.postMessage({ id, task });
    });
  }
}
