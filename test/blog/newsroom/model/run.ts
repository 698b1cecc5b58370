import { expect } from '@jest/globals';
import { Types } from 'mongoose';
import { ScheduleRunner } from '../../../../src/blog/schedule/schedule-runner.service.js';
import type { Client } from '../../../support/client.js';
import { unique } from '../../../support/factories.js';
import type { TestApp } from '../../../support/start-app.js';
import { HOUR } from '../../../support/time/clock.js';
import { until } from '../../../support/time/wait.js';
import { COMPARED_READS, expectedObservation, observe, onlyMembersOf } from './observation.js';
import { contentOf, fieldsOf, type Operation, type Reply } from './operations/operation.js';
import { makeScheduled, type Outcome, type ScheduledTransition } from './rules.js';
import { newBlog, type Content, type ModelBlog, type Who, type World } from './world.js';

export interface People {
  readonly clients: Readonly<Record<Who | 'admin', Client>>;
  readonly people: World['people'];
}

/** An operation with everything that was drawn for it. */
export interface Drawn {
  readonly name: string;
  readonly operation: Operation;
  readonly by: Who;
  /** The index of the blog in `world.blogs`. */
  readonly blog: number;
  readonly ifMatch: 'none' | 'current' | 'other';
  readonly args: unknown;
}

/** A request that was sent, with the revision in its `If-Match`, and its answer. */
interface Sent {
  readonly drawn: Drawn;
  readonly ifMatch: number | null;
  readonly reply: Reply;
}

/** The world after some requests, and the answers that the model expects. */
interface Applied {
  readonly world: World;
  readonly outcomes: readonly Outcome[];
}

/** How often each operation has succeeded in this process. */
export const made = new Map<string, number>();

/** One run: two new blogs, on the server and in the model. */
export class Run {
  private world: World;
  /** The indexes of the blogs that may have changed since all their reads were compared. */
  private readonly touched = new Set<number>();

  constructor(
    private readonly server: TestApp,
    private readonly people: People,
    settings: Pick<World, 'fourEyes' | 'revisionsKept'>,
  ) {
    const startedAt = Math.ceil(Date.now() / HOUR) * HOUR;
    const run = unique('run').toLowerCase();
    this.world = { ...settings, run, startedAt, people: people.people, blogs: [] };
  }

  /** Creates the blogs, and makes the first transitions. */
  async start(transitions: readonly Drawn[]): Promise<void> {
    await this.create('ann', contentOf({ number: 0, slug: 'one' }, this.world.run));
    await this.create('ben', contentOf({ number: 1, slug: 'two' }, this.world.run));
    for (const transition of transitions) await this.perform(transition);
  }

  /** Whether the model lets the request succeed. */
  isAllowed(drawn: Drawn): boolean {
    const blog = this.world.blogs[drawn.blog] as ModelBlog;
    const reply = { status: 200, message: '', data: {}, rev: NaN };
    const sent = { drawn, ifMatch: revisionIn(drawn, blog), reply };
    return apply(this.world, [sent]).outcomes[0]?.status === 200;
  }

  /** Makes a request, and compares its answer with the model's. */
  async perform(drawn: Drawn): Promise<void> {
    const sent = await this.send(drawn);
    const { world, outcomes } = apply(this.world, [sent]);
    expect(onlyMembersOf(outcomes[0], sent.reply)).toEqual(outcomes[0]);
    if (sent.reply.status === 200) made.set(drawn.name, (made.get(drawn.name) ?? 0) + 1);
    this.world = world;
  }

  /** Makes two concurrent requests: the outcome must be that of making them in one of the two orders. */
  async performBoth(one: Drawn, other: Drawn): Promise<void> {
    const sent = await Promise.all([this.send(one), this.send(other)]);
    const orders = [sent, sent.toReversed()].map((steps) => ({
      steps,
      ...apply(this.world, steps),
    }));
    const possible = orders.filter(({ steps, outcomes }) =>
      steps.every(({ reply }, index) => isAnswer(outcomes[index] as Outcome, reply)),
    );
    const replies = sent.map(({ drawn, reply }) => ({ transition: drawn.name, reply }));
    if (possible.length === 0) {
      const expected = orders.map(({ outcomes }) => outcomes);
      throw new Error(`no order explains the answers: ${JSON.stringify({ replies, expected })}`);
    }
    let difference: unknown;
    for (const { world } of possible) {
      try {
        await this.lookAt(world, new Set([one.blog, other.blog]), COMPARED_READS);
        this.world = world;
        return;
      } catch (error) {
        difference = error;
      }
    }
    throw difference;
  }

  /** Sends one read of each blog, and compares the answers with the model. */
  async look(name: string): Promise<void> {
    await this.lookAt(this.world, new Set([0, 1]), [name]);
  }

  /**
   * The scheduled transition that is made next; none without a schedule.
   * @param includesUnpublish whether a later unpublication is returned as well
   */
  nextDue(blog: number, includesUnpublish: boolean): ScheduledTransition[] {
    const { publish, unpublish } = this.world.blogs[blog] as ModelBlog;
    if (publish) return unpublish && includesUnpublish ? ['publish', 'unpublish'] : ['publish'];
    return unpublish ? ['unpublish'] : [];
  }

  /**
   * Sets the times of scheduled transitions to the past, because MongoDB's clock decides, and waits until the server
   * has made the transitions. Makes them in the model as well.
   */
  async elapse(index: number, due: readonly ScheduledTransition[]): Promise<void> {
    const blog = this.world.blogs[index] as ModelBlog;
    const _id = new Types.ObjectId(blog._id);
    this.touched.add(index);
    const now = Date.now();
    const times = due.map((transition, at) => [
      `schedule.${transition}.at`,
      new Date(now - 60_000 + at),
    ]);
    const $set = { ...Object.fromEntries(times), dueAt: new Date(now - 60_000) };
    const blogs = this.server.db.collection('blogs');
    await blogs.updateOne({ _id }, { $set });
    const runner = this.server.app.get(ScheduleRunner);
    // Runs are concurrent and share the server: the call of another Run may have taken these transitions.
    await until('the due transitions', async () => {
      await runner.run(new AbortController().signal);
      return !(await blogs.findOne({ _id, dueAt: { $lte: new Date(now) } }));
    });
    const world = structuredClone(this.world);
    makeScheduled(world, world.blogs[index] as ModelBlog, due);
    this.world = world;
  }

  /** Compares once more what may have changed, and deletes the blogs. */
  async end(): Promise<void> {
    await this.lookAt(this.world, this.touched, COMPARED_READS);
    const ids = this.world.blogs.map(({ _id }) => new Types.ObjectId(_id));
    await this.server.db.collection('blogs').deleteMany({ _id: { $in: ids } });
  }

  private async create(by: Who, content: Content): Promise<void> {
    const body = { ...fieldsOf(content), description: 'A blog of the model.' };
    const created = await this.people.clients[by].post<{ _id: string }>('/blog/author', body);
    expect(created.status).toBe(200);
    this.world.blogs.push(newBlog(created.body.data._id, by, content));
  }

  private async send(drawn: Drawn): Promise<Sent> {
    const { operation, by, args } = drawn;
    const blog = this.world.blogs[drawn.blog] as ModelBlog;
    this.touched.add(drawn.blog);
    const ifMatch = revisionIn(drawn, blog);
    const { method, path, body } = operation.request({
      world: this.world,
      blog,
      by,
      ifMatch,
      args,
    });
    const client = this.people.clients[operation.asAdmin ? 'admin' : by];
    const answer = await client.request<Reply['data']>(method, path, {
      ...(body ? { body } : {}),
      ...(ifMatch === null ? {} : { headers: { 'if-match': `"${ifMatch}"` } }),
    });
    const { status, body: envelope, headers } = answer;
    const rev = /^"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1];
    const reply = { status, message: envelope.message, data: envelope.data, rev: Number(rev) };
    return { drawn, ifMatch, reply };
  }

  /** @throws Error if a read differs from what this world expects */
  private async lookAt(
    world: World,
    indexes: ReadonlySet<number>,
    names: readonly string[],
  ): Promise<void> {
    for (const index of indexes) {
      const blog = world.blogs[index] as ModelBlog;
      const expected = expectedObservation(world, blog, names);
      expect(await observe(this.people.clients, blog, expected)).toEqual(expected);
      if (names === COMPARED_READS) this.touched.delete(index);
    }
  }
}

function revisionIn({ operation, ifMatch }: Drawn, { rev }: ModelBlog): number | null {
  if (!operation.isConditional || ifMatch === 'none') return null;
  return ifMatch === 'current' ? rev : rev + 100;
}

function apply(before: World, steps: readonly Sent[]): Applied {
  const world = structuredClone(before);
  const outcomes = steps.map(({ drawn, ifMatch }) => {
    const { operation, by, args } = drawn;
    const blog = world.blogs[drawn.blog] as ModelBlog;
    // The outcome is copied, because later steps change the world.
    return structuredClone(operation.rule({ world, blog, by, ifMatch, args }));
  });
  return { world, outcomes };
}

function isAnswer(outcome: Outcome, reply: Reply): boolean {
  return isSame(onlyMembersOf(outcome, reply), outcome);
}

/** Compares values whose members have the same order, as `onlyMembersOf` returns them. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
