import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS, type Call } from '../../../scripts/support/own-server.ts';
import { zero, type Finding } from '../../support/findings.ts';
import {
  createArticle,
  signInAdmin,
  signUpAuthor,
  type Article,
  type Tokens,
} from '../../support/newsroom.ts';
import { cycled } from '../../support/statistics.ts';
import { isInTime } from '../../support/timing.ts';
import type { Fault } from '../program.ts';
import { Client, Ledger, type Answered, type Sent } from '../testbed/client.ts';
import { startTestbed } from '../testbed/testbed.ts';
import { allEvents } from '../writes/stored.ts';
import { FakedClock } from './faked-clock.ts';

/** Seconds by which two clocks differ, within what the server tolerates. */
const NEAR_S = 50;
/** Seconds by which a clock differs from the true time, far beyond what the server tolerates. */
const FAR_S = 300;
const JUMP_S = 13 * 3_600;
const CONTACT_LIMIT = 10;
const SCHEDULE_COUNT = 5;
const DUE_IN_MS = 5_000;
/**
 * Milliseconds after which a scheduled transition counts as late: the server looks for due transitions every second.
 */
const LATE_MS = 3_000;

const ARTICLE: Article = {
  title: 'By clocks that differ',
  description: 'For readers.',
  tags: ['due'],
  draftText: '<p>A text.</p>',
};

/** Checks two servers whose clocks differ from each other and from that of the database, and jump. */
export const CLOCKS: Fault = {
  name: 'clocks',
  isInReducedForm: false,
  async run() {
    const [first, second] = [new FakedClock(NEAR_S), new FakedClock(0)];
    const testbed = await startTestbed({
      optionsOf: (index) => (index === 0 ? first : second).options,
      env: { RATE_LIMITS: 'on', LIMIT_CONTACT: `${CONTACT_LIMIT}/1h` },
    });
    const ledger = new Ledger();
    const clients = testbed.servers.map(({ url }) => new Client(url, ledger));
    const [ahead, behind] = clients as [Client, Client];
    const { call } = testbed.servers[1] ?? testbed.servers[0];
    const findings: Finding[] = [];
    const expect = (what: string, group: string, wanted: string, got: readonly string[]) =>
      findings.push({
        group,
        what,
        threshold: wanted,
        measured: [...new Set(got)].join(', '),
        isMet: got.every((one) => one === wanted),
      });
    const tryToken = (client: Client, token: string) =>
      resultOf(client, { path: '/auth/sessions', token });

    const near = `${NEAR_S} s apart`;
    expect('a server accepts a token of the one that is ahead', near, '200', [
      await tryToken(behind, await signInAt(ahead)),
    ]);

    first.set(FAR_S);
    second.set(-FAR_S);
    const far = `${FAR_S} s ahead, ${FAR_S} s behind`;
    const admin = await signInAdmin(call);
    const { token: author } = await signUpAuthor(call, 'author@faults.example', admin);
    expect('a token made in the past is accepted', far, '200', [await tryToken(ahead, admin)]);
    const early = await tryToken(behind, await signInAt(ahead));
    expect('a token made in the future is refused', far, '401 access_token_invalid', [early]);

    const contact = {
      method: 'POST',
      path: '/contact',
      body: { type: 'faults', msg: 'a message' },
    };
    let accepted = 0;
    for (let at = 0; at < 3 * CONTACT_LIMIT; at += 1) {
      if ((await resultOf(cycled([behind, ahead], at), contact)) === '200') accepted += 1;
    }
    expect('the servers share one rate limit', far, String(CONTACT_LIMIT), [String(accepted)]);

    const { _id } = await createArticle(call, author, ARTICLE);
    const options = { token: author, body: { expiresIn: '1h' } };
    const made = await call<{ token: string }>('POST', `/blog/author/preview/id/${_id}`, options);
    const preview = { path: `/blog/preview/${made.token}` };
    const shownBy = await Promise.all(clients.map((client) => resultOf(client, preview)));
    expect('each server shows a preview', far, '200', shownBy);

    const tokens = { author, admin };
    const scheduling = Array.from({ length: SCHEDULE_COUNT }, () => scheduleOne(call, tokens));
    const scheduled = await Promise.all(scheduling);
    const untimely = scheduled
      .filter(({ lateMs }) => lateMs < 0 || lateMs > LATE_MS)
      .map(({ id, lateMs }) => `${id}: published ${lateMs} ms after its time`);
    findings.push(zero("schedules follow the database's clock", far, untimely, SCHEDULE_COUNT));

    first.set(JUMP_S);
    const jumped = `${JUMP_S / 3_600} h ahead by a jump`;
    const expired = await tryToken(ahead, admin);
    expect('an access token expires', jumped, '401 access_token_expired', [expired]);
    const gone = await resultOf(ahead, preview);
    expect('a preview expires', jumped, '404 preview_not_found', [gone]);
    await wait(2_000);
    first.set(-FAR_S);
    const back = 'the clock jumps back';
    expect('the preview is shown again', back, '200', [await resultOf(ahead, preview)]);
    expect('the token is accepted again', back, '200', [await tryToken(ahead, admin)]);
    first.set(FAR_S);

    const events = await allEvents(behind, admin);
    const notOnce = scheduled.flatMap(({ id }) => {
      const ofOne = events.filter(({ type, data }) => type === 'blog.published' && data._id === id);
      return ofOne.length === 1 ? [] : [`${id}: published ${ofOne.length} times`];
    });
    const all = `${far}, jumps`;
    const answers = [...ledger.statuses.values()].reduce((sum, count) => sum + count, 0);
    return [
      ...findings,
      zero('each scheduled publication is made once', all, notOnce, SCHEDULE_COUNT),
      zero('no answer lost, each 5xx a 503 with Retry-After', all, ledger.complaints, answers),
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

/**
 * Schedules a publication in DUE_IN_MS of true time. By the clock of the server that `call` asks, it is due only after
 * minutes; by the clock of the other server it is overdue.
 */
async function scheduleOne(
  call: Call,
  { author, admin }: Tokens,
): Promise<{ id: string; lateMs: number }> {
  const { _id: id, slug } = await createArticle(call, author, ARTICLE);
  await call('PUT', `/blog/author/submit/${id}`, { token: author });
  const publishAt = new Date(Date.now() + DUE_IN_MS);
  await call('PUT', `/blog/editor/schedule/id/${id}`, { token: admin, body: { publishAt } });
  const isLive = () =>
    call('GET', `/blog/slug/${slug}`).then(
      () => true,
      () => false,
    );
  await isInTime(isLive, { withinMs: DUE_IN_MS + 4 * LATE_MS });
  return { id, lateMs: Date.now() - publishAt.getTime() };
}
