import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CREDENTIALS, inheritedEnv } from '../../../scripts/support/own-server.ts';
import { entryOf, ROOT } from '../../support/built.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { Network } from './network.ts';
import { ReplicaSet } from './replica-set.ts';
import { Pressroom, type PressroomOptions } from '../../support/servers/pressroom.ts';

export interface TestbedOptions {
  /** Milliseconds after which secondaries elect another primary if the primary is silent. */
  readonly electionTimeoutMs?: number;
  /** Number of members; one is enough, and cheaper, where only servers are disturbed. */
  readonly members?: number;
  readonly servers?: number;
  /** A built checkout, whose version seeds the database and starts the servers; this one by default. */
  readonly checkout?: string;
  /** Settings of the servers in addition to those of the testbed. */
  readonly env?: Readonly<Record<string, string>>;
  /** @returns options of the server with this index; its `env` takes precedence over that of the testbed */
  readonly optionsOf?: (index: number) => PressroomOptions;
}

export interface Testbed {
  readonly replicaSet: ReplicaSet;
  readonly network: Network;
  readonly servers: readonly [Pressroom, ...Pressroom[]];
  readonly balancer: Balancer;
  readonly uri: string;
  /** Undoes every fault: everything that has ended runs again, and the members have caught up. */
  heal(): Promise<void>;
}

/**
 * Starts a replica set behind a network that can be disturbed, servers that use it, and a balancer. The API key and
 * the admin of CREDENTIALS (scripts/support/own-server.ts) exist. Everything ends with the program.
 */
export async function startTestbed({
  electionTimeoutMs = 2_000,
  members = 3,
  servers: count = 2,
  checkout = ROOT,
  env = {},
  optionsOf = () => ({}),
}: TestbedOptions = {}): Promise<Testbed> {
  const network = new Network();
  const replicaSet = await ReplicaSet.start(network, electionTimeoutMs, members);
  const { uri } = replicaSet;
  const settings = {
    MONGODB_URI: uri,
    // All servers have the same key, as in production.
    JWT_PRIVATE_KEYS: generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    WEBHOOK_HTTP: 'on',
    WEBHOOK_PRIVATE: 'on',
    // An access token must be valid for the whole run.
    ACCESS_TOKEN_TTL: '12h',
    ...env,
  };
  await seed(checkout, settings);
  const servers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const name = `server-${index}`;
      const options = optionsOf(index);
      return Pressroom.start({
        name,
        entry: entryOf(checkout),
        ...options,
        env: { ...settings, ...options.env },
        onStart: (pid) => network.register(name, pid),
      });
    }),
  );
  const balancer = await startBalancer(servers.map(({ port }) => port));
  return {
    replicaSet,
    network,
    balancer,
    uri,
    servers: servers as [Pressroom, ...Pressroom[]],
    async heal() {
      await replicaSet.heal();
      for (const server of servers) {
        if (server.isRunning) server.signal('SIGCONT');
        else await server.startAgain();
      }
    },
  };
}

/** Runs `pressroom seed`: a server inserts no credentials into an external database by itself. */
async function seed(checkout: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const { apiKey: API_KEY, email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = CREDENTIALS;
  const env = { ...inheritedEnv(), ...settings, API_KEY, ADMIN_EMAIL, ADMIN_PASSWORD };
  const args = [join(checkout, 'bin/pressroom.mjs'), 'seed'];
  await promisify(execFile)(process.execPath, args, { env });
}
