import type { People, WritingRun } from '../people.ts';
import type { Mailbox } from './mailbox.ts';

/** Milliseconds after its time within which a digest arrives. */
const DIGEST_MS = 45_000;
const DAY_MS = 86_400_000;

/** The author reads what the editor did with the articles, and marks it as read. */
export async function readNotices(
  { client, recorder }: WritingRun,
  { author }: People,
): Promise<void> {
  const step = 'notices';
  const as = author.session;
  const unread = { as, query: { unread: 'true' } } as const;
  const { data: notices } = await client.call(step, 'GET', '/notices', unread);
  const isTold = notices.some(({ kind }) => kind === 'published');
  recorder.check(step, isTold, 'no notice says that an article was published');
  await client.call(step, 'PUT', '/notices/read', { as, body: {} });
  const { data: left } = await client.call(step, 'GET', '/notices', unread);
  recorder.check(step, left.length === 0, `${left.length} are left unread`);
}

/** The editor gets the daily mail about what was submitted. @param time that of the digest, such as `07:00`, in UTC */
export async function awaitDigest(
  { recorder }: WritingRun,
  { editor }: People,
  mailbox: Mailbox,
  time: string,
): Promise<void> {
  const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T${time}Z`);
  const left = (today - Date.now() + DAY_MS) % DAY_MS;
  const mail = await mailbox.find(editor.email, 'unread', left + DIGEST_MS);
  const isDigest = mail?.text?.includes('submitted') ?? false;
  recorder.check('digest', isDigest, `no digest of submissions has arrived at ${editor.email}`);
}
