/**
 * This worker thread runs a TCP proxy in front of each member of the replica set. It is a thread, so that a busy
 * main thread does not slow down the replica set. `network.ts` starts it and sends it the rules.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import type { Party, Rule, Task } from './network.ts';

/** The members and servers by their process ids. */
let parties: Readonly<Record<number, Party>> = {};
let rules: readonly Rule[] = [];
const links = new Set<Link>();

/** A connection from a member or a server to a member. */
class Link {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #to: Party;
  /** The party that opened the connection; null until `identify` is called. */
  #from: Party | null = null;

  constructor(near: Socket, port: number, to: Party) {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.#near = near.setNoDelay();
    this.#far = far;
    this.#to = to;
    for (const socket of [near, far]) {
      socket.on('error', () => this.#reset());
      socket.on('close', () => this.#reset());
    }
    links.add(this);
    if (rules.length > 0) this.identify(socketOwners());
    this.apply();
  }

  /** Finds the party that opened the connection. Call it before `apply`, if there are rules. */
  identify(owners: SocketOwners): void {
    this.#from ??= opener(this.#near, owners);
  }

  apply(): void {
    const from = this.#from ?? 'other';
    const to = this.#to;
    const matching = rules.filter((rule) => matches(rule, from, to));
    const opposite = rules.filter((rule) => matches(rule, to, from));
    if ([...matching, ...opposite].some(({ effect }) => effect === 'cut')) return this.#reset();
    setHeld(this.#near, this.#far, matching.length > 0);
    setHeld(this.#far, this.#near, opposite.length > 0);
  }

  #reset(): void {
    links.delete(this);
    for (const socket of [this.#near, this.#far]) {
      // Bytes that were written before an orderly end are still sent.
      if (socket.writableEnded) socket.destroySoon();
      else socket.resetAndDestroy();
    }
  }
}

/** Stops or resumes passing bytes on. Held bytes arrive late but are not lost, as when TCP sends them again. */
function setHeld(source: Socket, target: Socket, isHeld: boolean): void {
  source.unpipe(target);
  if (isHeld) source.pause();
  else source.pipe(target);
}

function matches({ member, direction = 'both', parties: others }: Rule, from: Party, to: Party) {
  const other = to === member ? from : from === member ? to : undefined;
  if (other === undefined || (others && !others.includes(other))) return false;
  return direction === 'both' || (direction === 'to' ? to : from) === member;
}

/** The parties by the two addresses of their sockets, as /proc/net/tcp writes them. */
type SocketOwners = ReadonlyMap<string, Party>;

function opener({ remotePort = 0, localPort = 0 }: Socket, owners: SocketOwners): Party {
  return owners.get(`${addressOf(remotePort)} ${addressOf(localPort)}`) ?? 'other';
}

/**
 * Reads from /proc which process holds which socket. That takes milliseconds in which the proxies pass nothing on,
 * so it is done only while there are rules: when they change, and for each new connection.
 */
function socketOwners(): SocketOwners {
  const partyOf = new Map<string | undefined, Party>();
  for (const [pid, party] of Object.entries(parties)) {
    for (const socket of socketsOf(pid)) partyOf.set(socket, party);
  }
  const owners = new Map<string, Party>();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
    const party = partyOf.get(`socket:[${inode}]`);
    if (party) owners.set(`${local} ${remote}`, party);
  }
  return owners;
}

function addressOf(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

function socketsOf(pid: string): readonly string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((fd) => targetOf(`${folder}/${fd}`));
  } catch {
    return []; // The process has ended.
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // The socket was closed meanwhile.
  }
}

async function perform(task: Task): Promise<number> {
  if ('rules' in task) {
    rules = task.rules;
    if (rules.length > 0) {
      const owners = socketOwners();
      for (const link of links) link.identify(owners);
    }
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
