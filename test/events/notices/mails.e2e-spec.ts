import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { NoticeDigest } from '../../../src/events/notices/mails/notice-digest.job.js';
import { OutboxRelay } from '../../../src/blog/history/outbox-relay.service.js';
import { relay } from '../../blog/history/stored-events.js';
import { blogIn, person, type BlogInState, type Person } from '../../support/factories.js';
import { sendMails } from '../../support/mail/mails.js';
import { startSmtp, type SmtpServer } from '../../support/mail/smtp-server.js';
import { DAY, holdClock, type HeldClock } from '../../support/time/clock.js';
import { noticesOf, openDesk, type Desk } from './fixture.js';

const JOINER = /\u2060/g;

let desk: Desk;
let smtp: SmtpServer;
/** A new author for each test, who has no other notices. */
let author: Person;

beforeAll(async () => {
  smtp = await startSmtp();
  desk = await openDesk({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'desk@example.org', PUBLIC_URL: 'https://api.example' },
  });
});

beforeEach(async () => {
  author = await person(desk, 'AUTHOR');
});

const give = async (what: 'return' | 'publish' | 'comment', fields = {}): Promise<BlogInState> => {
  const blog = await blogIn('in review', author, desk.editor, fields);
  const { status } =
    what === 'comment'
      ? await desk.editor.client.post(`/blog/editor/comments/id/${blog._id}`, { text: 'Why?' })
      : await desk.editor.client.put(`/blog/editor/${what}/id/${blog._id}`, { note: 'No.' });
  if (status !== 200) throw new Error(`${what}: ${status}`);
  return blog;
};
const choose = async (ways: object) => {
  const { status, body } = await author.client.put<object>('/profile/notices', ways);
  expect(status).toBe(200);
  return body.data;
};
/** The subjects of the mails that the author has got, without the characters that keep links from working. */
const subjects = async (): Promise<string[]> => {
  await relay(desk);
  await sendMails(desk);
  return mails().map(({ parsed }) => (parsed.subject ?? '').replace(JOINER, ''));
};
const mails = () => smtp.mails.filter(({ to }) => to.includes(author.email));
const setUser = (update: object) =>
  desk.db.collection('users').updateOne({ _id: new Types.ObjectId(author._id) }, { $set: update });

describe('a mail of a notice', () => {
  it('should come at once, with the title as a text that is no link', async () => {
    await give('return', { title: 'https://evil.example/<b>x</b>' });
    const title = 'https://evil.example/<b>x</b>';
    expect(await subjects()).toEqual([`${desk.editor.name} has returned: ${title}`]);
    const [mail] = mails();
    expect(mail?.parsed.text).not.toContain(title);
    expect(mail?.parsed.text?.replace(JOINER, '')).toContain(title);
    expect(mail?.parsed.html).not.toContain('<b>');
    expect(mail?.parsed.html).not.toContain('href');
  });

  it('should not come for a kind without mails, as everybody may choose', async () => {
    await give('publish');
    expect(await subjects()).toEqual([]);
    const all = (await author.client.get<object>('/profile/notices')).body.data;
    expect(await choose({ published: ['mail'], returned: [] })).toEqual({
      ...all,
      published: ['mail'],
      returned: [],
    });
    await give('return');
    const { body } = await give('publish');
    expect(await subjects()).toEqual([`${desk.editor.name} has published: ${body.title}`]);
    // Nothing of the two kinds is wanted in the desk.
    expect(await noticesOf(desk, author)).toEqual([]);
  });

  it('should not come to somebody who may not read it any more', async () => {
    const { _id } = await give('return');
    await relay(desk);
    expect(await noticesOf(desk, author)).toHaveLength(1);
    const to = { user: desk.otherAuthor._id };
    await desk.admin.client.put(`/admin/blogs/id/${_id}/author`, to);
    expect(await subjects()).toEqual([]);
    expect(await noticesOf(desk, author)).toEqual([]);
    const { headers } = await author.client.get('/notices?unread=true');
    expect(headers.get('x-total-count')).toBe('0');
  });

  it.each([
    ['disabled', { status: false }],
    ['without the role', { roles: [] }],
  ])('should not come to an account that is %s', async (_what, change) => {
    await give('return');
    await relay(desk);
    await setUser(change);
    expect(await subjects()).toEqual([]);
  });

  it('should come once, although the job was killed before it has noted it', async () => {
    await give('return');
    jest.spyOn(desk.app.get(OutboxRelay), 'clear').mockRejectedValueOnce(new Error('killed'));
    await expect(relay(desk)).rejects.toThrow('killed');
    await sendMails(desk);
    expect(await subjects()).toHaveLength(1);
    expect(await noticesOf(desk, author)).toHaveLength(1);
  });
});

describe('the digest', () => {
  let clock: HeldClock;
  const digest = () => desk.app.get(NoticeDigest);
  const run = async (): Promise<string[]> => {
    await relay(desk);
    if (await digest().isDue()) await digest().run(new AbortController().signal);
    return subjects();
  };

  beforeEach(async () => {
    clock = holdClock(desk.app);
    // The time of the next digest begins now, and not where the clock of another test has ended.
    await desk.db.collection('notice_state').updateMany({}, { $unset: { digestedUntil: 1 } });
    await run();
  });
  afterEach(() => clock.release());

  it('should come once a day, with what is unread and wanted in it', async () => {
    const { body } = await give('comment');
    await give('publish');
    const { _id: hidden } = await give('comment');
    const to = { user: desk.otherAuthor._id };
    await desk.admin.client.put(`/admin/blogs/id/${hidden}/author`, to);
    const read = await give('comment');
    const notices = await noticesOf(desk, author);
    const seqs = notices.filter(({ blog }) => blog?._id === read._id).map(({ seq }) => seq);
    expect((await author.client.put('/notices/read', { seqs })).status).toBe(200);
    expect(await run()).toEqual([]);
    clock.advance(DAY);
    expect(await run()).toEqual(['blog.example: 1 unread']);
    expect(mails()[0]?.parsed.text?.replace(JOINER, '')).toContain(
      `- ${desk.editor.name} has commented on: ${body.title}`,
    );
    expect(await run()).toHaveLength(1);
    clock.advance(DAY);
    // What was told is not told again.
    expect(await run()).toHaveLength(1);
  });

  it('should come once, although the job was killed before it has noted it', async () => {
    await give('comment');
    await relay(desk);
    clock.advance(DAY);
    const { store } = digest() as unknown as { store: { setDigested(): Promise<void> } };
    jest.spyOn(store, 'setDigested').mockRejectedValueOnce(new Error('killed'));
    await expect(run()).rejects.toThrow('killed');
    expect(await run()).toHaveLength(1);
  });

  it('should not come to somebody who does not want it', async () => {
    await choose({ commented: ['desk'] });
    await give('comment');
    await relay(desk);
    clock.advance(DAY);
    expect(await run()).toEqual([]);
  });
});
