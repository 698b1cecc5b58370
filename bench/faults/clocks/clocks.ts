import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS, type Call } from '../../../scripts/support/own-server.ts';
import { createArticle, signInAdmin, signUpAuthor, type Tokens } from '../../support/newsroom.ts';
import { cycled } from '../../support/statistics.ts';
import { startTestbed } from '../testbed/testbed.ts';
import { Client, Ledger, type Answered, type Sent } from '../testbed/client.ts';
import { zero, type Finding } from '../../support/findings.ts';
import type { Fault, Form } from '../program.ts';
import { publish, Published } from '../shown/publisher.ts';
import { read, Seen } from '../shown/readers.ts';
import { startReceiver } from '../writes/receiver.ts';
import { allEvents } from '../writes/stored.ts';
import { FakedClock } from './faked-clock.ts';

/** Within what the server allows between two processes, and far beyond it. */
const NEAR_S = 50;
const FAR_S = 300;
const JUMP_S = 13 * 3_600;
const SHOWN_MS: Readonly<Record<Form, number>> = { reduced: 5_000, short: 20_000, long: 300_000 };
const CONTACTS = 10;
const SCHEDULES = 5;
const PUBLISHED = 'blog.published';
const AHEAD_MS = 5_000;
/** Transitions that are due are looked for every second. */
const LATE_MS = 3_000;

/** The clocks of two servers differ, from each other and from that of the database, and jump. */
export const CLOCKS: Fault = {
  name: 'clocks',
  isReduced: false,
  async run(form) {
    const [first, second] = [new FakedClock(NEAR_S), new FakedClock(0)];
    const optionsOf = (index: number) => (index === 0 ? first : second).options;
    const testbed = await startTestbed({
      optionsOf,
      env: { RATE_LIMITS: 'on', LIMIT_CONTACT: `${CONTACTS}/1h` },
    });
    const ledger = new Ledger();
    const [ahead, behind] = testbed.servers.map(({ url }) => new Client(url, ledger)) as [
      Client,
      Client,
    ];
    const call = testbed.servers[1]?.call;
    if (!call) throw new Error('there is no server');
    const findings: Finding[] = [];

    const expect = (what: string, group: string, wanted: string, got: readonly string[]) =>
      findings.push({
        what,
        group,
        threshold: wanted,
        measured: [...new Set(got)].join(', '),
        isMet: got.every((one) => one === wanted),
      });
    const statusOf = (client: Client, token: string) =>
      resultOf(client, { path: '/auth/sessions', token });

    const near = `${NEAR_S} s apart`;
    const nearToken = await signInAt(ahead);
    expect('a token is good at each server', near, '200', [await statusOf(behind, nearToken)]);

    first.set(FAR_S);
    second.set(-FAR_S);
    const far = `${FAR_S} s ahead, ${FAR_S} s behind`;
    const token = await signInAdmin(call);
    const { token: author } = await signUpAuthor(call, 'author@faults.example', token);
    const tokens = { author, admin: token };
    expect('a token of the one behind is good', far, '200', [await statusOf(ahead, token)]);
    const early = await statusOf(behind, await signInAt(ahead));
    expect('a token of the future is refused', far, '401 access_token_invalid', [early]);

    const contacts: string[] = [];
    const contact = {
      method: 'POST',
      path: '/contact',
      body: { type: 'faults', msg: 'a message' },
    };
    for (let at = 0; at < 3 * CONTACTS; at += 1) {
      contacts.push(await resultOf(cycled([behind, ahead], at), contact));
    }
    const accepted = contacts.filter((result) => result === '200').length;
    expect('a rate limit is one for all', far, `${CONTACTS} of ${3 * CONTACTS}`, [
      `${accepted} of ${contacts.length}`,
    ]);

    const receiver = await startReceiver();
    await call('POST', '/admin/webhooks', { token, body: { url: receiver.url, events: ['*'] } });
    let isOver = false;
    const over = () => isOver;
    const published = new Published();
    const seen = new Seen();
    const clients = [ahead, behind];
    const publishAs = (marker: string) =>
      publish(published, { marker, clients, isOver: over, tokens });
    const shown = [
      publishAs('before'),
      ...clients.map((client) => read(seen, published, { client, isOver: over })),
    ];
    const draft = {
      title: 'Draft',
      description: 'Not for readers.',
      tags: [],
      draftText: '<p>x</p>',
    };
    const { _id: draftId } = await createArticle(call, author, draft);
    const { token: previewToken } = await call<{ token: string }>(
      'POST',
      `/blog/author/preview/id/${draftId}`,
      { token: author, body: { expiresIn: '1h' } },
    );
    const preview = { path: `/blog/preview/${previewToken}` };
    const shownBy = await Promise.all([ahead, behind].map((client) => resultOf(client, preview)));
    expect('a preview is shown by each server', far, '200', shownBy);
    const scheduled = await Promise.all(
      Array.from({ length: SCHEDULES }, (_, at) => scheduleOne(call, tokens, at)),
    );
    const untimely = scheduled
      .filter(({ lateMs }) => lateMs < 0 || lateMs > LATE_MS)
      .map(({ id, lateMs }) => `${id}: published ${lateMs} ms after its time`);
    findings.push(zero("a schedule is kept at the database's time", far, untimely, SCHEDULES));

    // Where the clock jumps while it serves.
    await wait(SHOWN_MS[form] / 2);
    first.set(JUMP_S);
    const jumped = `${JUMP_S / 3_600} h ahead by a jump`;
    expect('a token ends by the clock', jumped, '401 access_token_expired', [
      await statusOf(ahead, token),
    ]);
    expect('a preview ends by the clock', jumped, '404 preview_not_found', [
      await resultOf(ahead, preview),
    ]);
    await wait(2_000);
    first.set(-FAR_S);
    expect('a preview is shown again', 'the clock jumps back', '200', [
      await resultOf(ahead, preview),
    ]);
    expect('a token is good again', 'the clock jumps back', '200', [await statusOf(ahead, token)]);
    first.set(FAR_S);
    // The one before has stopped when its tokens were refused.
    shown.push(publishAs('afterwards'));
    await wait(SHOWN_MS[form] / 2);
    isOver = true;
    await Promise.all(shown);
    const both = `${far}, jumps`;
    const unpublished = published.hidden.length;
    const reads = `${both}, ${seen.reads} reads`;
    const events = await allEvents(behind, token);
    const notOnce = scheduled
      .map(({ id }) => ({
        id,
        times: events.filter(({ type, data }) => type === PUBLISHED && data._id === id),
      }))
      .filter(({ times }) => times.length !== 1)
      .map(({ id, times }) => `${id}: published ${times.length} times`);
    return [
      ...findings,
      zero('a schedule is kept once', both, notOnce, SCHEDULES),
      zero('unpublished: gone at once', reads, seen.afterAcknowledgement, unpublished),
      zero('unpublished: elsewhere within 1 s', reads, seen.elsewhere, unpublished),
      zero('no draft is shown', both, seen.drafts, seen.reads),
      zero('refusals are honest', both, ledger.complaints, ledger.acknowledged.length),
    ];
  },
};

async function resultOf(client: Client, sent: Sent): Promise<string> {
  const outcome = await client.send(sent);
  return outcome.kind === 'lost' ? 'lost' : `${outcome.status} ${outcome.reason}`.trim();
}

async function signInAt(client: Client): Promise<string> {
  const { email, password } = CREDENTIALS;
  const body = { email, password };
  const outcome = await client.send({ method: 'POST', path: '/auth/signin/basic', body });
  const { data } = outcome as Answered;
  return (data as { tokens: { accessToken: string } }).tokens.accessToken;
}

/** Publishes at a time that is minutes ahead to the server of `call`, and has passed to the other. */
async function scheduleOne(
  call: Call,
  { author, admin }: Tokens,
  at: number,
): Promise<{ id: string; lateMs: number }> {
  const article = { description: 'For readers.', tags: ['due'], draftText: '<p>A text.</p>' };
  const { _id: id, slug } = await createArticle(call, author, { ...article, title: `Due ${at}` });
  await call('PUT', `/blog/author/submit/${id}`, { token: author });
  const publishAt = new Date(Date.now() + AHEAD_MS);
  await call('PUT', `/blog/editor/schedule/id/${id}`, { token: admin, body: { publishAt } });
  const isLive = () =>
    call('GET', `/blog/slug/${slug}`).then(
      () => true,
      () => false,
    );
  const lateMs = () => Date.now() - publishAt.getTime();
  while (!(await isLive()) && lateMs() < 4 * LATE_MS) await wait(50);
  return { id, lateMs: lateMs() };
}
