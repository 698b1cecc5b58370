import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { account, blogIn, type Person } from '../../../support/factories.js';
import { openSession } from '../../../support/sessions.js';
import type { Client } from '../../../support/client.js';
import type { History } from './history.js';
import type { Fixture } from '../support/fixture.js';
import { succeed } from '../support/scenarios.js';
import { ABSENT, titleInList, titleOfArticle } from '../support/titles.js';

export interface Run {
  readonly server: Fixture;
  readonly history: History;
  /** Base URLs of the processes. */
  readonly urls: readonly string[];
  readonly random: Random;
  /** What readers may ask for. Writers add to this list. */
  readonly targets: ReadTarget[];
}

export interface ReadTarget {
  readonly register: string;
  read(url: string): Promise<string>;
}

/** Sends one write. It is called again once that write was acknowledged. */
export type Writer = () => Promise<void>;

/** Pseudo-random numbers from a seed, so that a run can be repeated. */
export class Random {
  private readonly generator;

  constructor(seed: number) {
    this.generator = xoroshiro128plus(seed);
  }

  below(bound: number): number {
    return uniformInt(this.generator, 0, bound - 1);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

/** Revises, unpublishes, publishes again and deletes a blog, then creates the next one. */
export async function blogWriter(run: Run, name: string): Promise<Writer> {
  const { server, history, urls, random, targets } = run;
  let [count, id, isLive] = [0, '', false];
  let register = '';

  const begin = async (): Promise<void> => {
    const title = `Title ${(count += 1)} of ${name}`;
    const { _id, body } = await blogIn('in review', server.author, server.editor, { title });
    [id, register] = [_id, `blog ${_id}`];
    // The first value is ABSENT: a cached list may lack a new blog for as long as it may show an unpublished one.
    history.begin(register, ABSENT);
    await publish(title, random.below(urls.length));
    const ownRegister = register;
    const paths = [`/blog/id/${_id}`, `/blog/slug/${body.slug}`];
    const lists = ['/blogs/latest?limit=100', `/blogs/tag/${String(body.tags[0])}`];
    targets.push({
      register: ownRegister,
      read: (url) => {
        const client = server.client.at(url);
        return random.below(2) === 0
          ? titleOfArticle(client, random.pick(paths))
          : titleInList(client, random.pick(lists), _id);
      },
    });
  };
  const ask = async (person: Person, method: string, path: string, body?: object, process = -1) => {
    const url = process < 0 ? random.pick(urls) : String(urls[process]);
    const answer = await person.client.at(url).request(method, path, { body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  };
  const publish = async (title: string, process: number): Promise<void> => {
    const path = `/blog/editor/publish/id/${id}`;
    await history.write(register, process, title, () =>
      ask(server.editor, 'PUT', path, undefined, process),
    );
    isLive = true;
  };
  const transitions = {
    revise: async (process: number) => {
      const title = `Title ${(count += 1)} of ${name}`;
      await ask(server.author, 'PUT', `/blog/author/id/${id}`, { title });
      await ask(server.author, 'PUT', `/blog/author/submit/${id}`);
      await publish(title, process);
    },
    unpublish: async (process: number) => {
      const path = `/blog/editor/unpublish/id/${id}`;
      await history.write(register, process, ABSENT, () =>
        ask(server.editor, 'PUT', path, undefined, process),
      );
      isLive = false;
    },
    delete: async (process: number) => {
      const path = `/blog/author/id/${id}`;
      await history.write(register, process, ABSENT, () =>
        ask(server.author, 'DELETE', path, undefined, process),
      );
      await begin();
    },
  };
  await begin();
  return () => {
    const transition = isLive
      ? random.pick(['revise', 'revise', 'unpublish', 'unpublish', 'delete'] as const)
      : 'revise';
    return transitions[transition](random.below(urls.length));
  };
}

/** Takes the role AUTHOR from a user and gives it back, in turn. */
export async function roleWriter({ server, history, urls, random, targets }: Run): Promise<Writer> {
  const { _id } = await account(server, 'AUTHOR');
  const { client } = await openSession(server, { _id });
  const register = 'role';
  history.begin(register, '200');
  targets.push({
    register,
    read: async (url) => String((await client.at(url).get('/blog/author/drafts')).status),
  });
  let isAuthor = true;
  return () => {
    isAuthor = !isAuthor;
    const process = random.below(urls.length);
    const roles = isAuthor ? ['LEARNER', 'AUTHOR'] : ['LEARNER'];
    const editor = server.editor.client.at(String(urls[process]));
    return history.write(register, process, isAuthor ? '200' : '403', () =>
      succeed(editor.put(`/admin/users/id/${_id}/roles`, { roles })),
    );
  };
}

/** Signs out of a session and opens the next one. */
export async function sessionWriter(run: Run): Promise<Writer> {
  const { server, history, urls, random, targets } = run;
  const { _id } = await account(server);
  let register = '';
  let client: Client;
  const begin = async (): Promise<void> => {
    const session = await openSession(server, { _id });
    const ownClient = session.client;
    [register, client] = [`session ${session.sid}`, ownClient];
    history.begin(register, '200');
    const read = async (url: string) =>
      String((await ownClient.at(url).get('/profile/mine')).status);
    targets.push({ register, read });
  };
  await begin();
  return async () => {
    const process = random.below(urls.length);
    await history.write(register, process, '401', () =>
      succeed(client.at(String(urls[process])).delete('/auth/signout')),
    );
    await begin();
  };
}
