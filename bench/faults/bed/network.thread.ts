/**
 * A worker thread with a TCP proxy in front of each member, so that a client which is busy does not slow
 * down the replica set. `network.ts` starts it and tells it the rules.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import type { Party, Rule, Task } from './network.ts';

/** The process ids of the members and servers. */
let parties: Readonly<Record<number, Party>> = {};
let rules: readonly Rule[] = [];
const links = new Set<Link>();

/** One direction of a connection. Bytes that are held are late, not lost, as TCP repeats them. */
class Flow {
  readonly #queue: { readonly chunk: Buffer; readonly due: number }[] = [];
  readonly #source: Socket;
  readonly #target: Socket;
  #delayMs = 0;

  constructor(source: Socket, target: Socket) {
    this.#source = source;
    this.#target = target;
    source.on('data', (chunk) => {
      if (this.#delayMs === 0 && this.#queue.length === 0) return void target.write(chunk);
      this.#queue.push({ chunk, due: performance.now() + this.#delayMs });
      if (this.#queue.length === 1) this.#drainLater();
    });
    source.on('end', () => {
      this.#drain(Infinity);
      target.end();
    });
  }

  apply(matching: readonly Rule[]): void {
    this.#delayMs = Math.max(0, ...matching.map(({ delayMs = 0 }) => delayMs));
    if (matching.some(({ effect }) => effect === 'hold')) this.#source.pause();
    else this.#source.resume();
  }

  #drainLater(): void {
    const [first] = this.#queue;
    if (!first) return;
    setTimeout(() => {
      this.#drain(performance.now());
      this.#drainLater();
    }, first.due - performance.now());
  }

  #drain(until: number): void {
    while (this.#queue[0] && this.#queue[0].due <= until) {
      this.#target.write(this.#queue.shift()?.chunk ?? '');
    }
  }
}

/** A connection from a member or a server to a member. */
class Link {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #flows: readonly { readonly flow: Flow; readonly from: Party; readonly to: Party }[];

  constructor(near: Socket, port: number, to: Party) {
    const from = partyOf(near);
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.#near = near.setNoDelay();
    this.#far = far;
    this.#flows = [
      { flow: new Flow(near, far), from, to },
      { flow: new Flow(far, near), from: to, to: from },
    ];
    for (const socket of [near, far]) {
      socket.on('error', () => this.#reset());
      socket.on('close', () => this.#reset());
    }
    links.add(this);
    this.apply();
  }

  apply(): void {
    for (const { flow, from, to } of this.#flows) {
      const matching = rules.filter((rule) => matches(rule, from, to));
      if (matching.some(({ effect }) => effect === 'cut')) return this.#reset();
      flow.apply(matching);
    }
  }

  #reset(): void {
    links.delete(this);
    for (const socket of [this.#near, this.#far]) {
      // What was written before an orderly end is still sent.
      if (socket.writableEnded) socket.destroySoon();
      else socket.resetAndDestroy();
    }
  }
}

function matches({ member, direction = 'both', parties: others }: Rule, from: Party, to: Party) {
  const other = to === member ? from : from === member ? to : undefined;
  if (other === undefined || (others && !others.includes(other))) return false;
  return direction === 'both' || (direction === 'to' ? to : from) === member;
}

/** Who opened a connection: the system knows which process holds its other end. */
function partyOf({ remotePort = 0, localPort = 0 }: Socket): Party {
  const ends = `${addressOf(remotePort)} ${addressOf(localPort)}`;
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((candidate) => candidate.includes(ends));
  const inode = line?.trim().split(/\s+/)[9];
  const pid = Object.keys(parties).find((candidate) => hasSocket(candidate, inode));
  return parties[Number(pid)] ?? 'other';
}

function addressOf(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

function hasSocket(pid: string, inode: string | undefined): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => linkOf(`${folder}/${fd}`) === `socket:[${inode}]`);
  } catch {
    return false; // It has ended.
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed meanwhile.
  }
}

async function perform(task: Task): Promise<number> {
  if ('rules' in task) {
    rules = task.rules;
    for (const link of [...links]) link.apply();
    return links.size;
  }
  if ('parties' in task) {
    parties = task.parties;
    return links.size;
  }
  const { member, port } = task;
  const proxy = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    new Link(socket, port, member);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return (proxy.address() as AddressInfo).port;
}

parentPort?.on('message', ({ id, task }: { id: number; task: Task }) => {
  void perform(task).then((result) => parentPort?.postMessage({ id, result }));
});
