import type { Run } from './client.ts';
import type { Credentials } from './credentials.ts';
import { signIn } from './people.ts';
import { flagsOf, type EditorialBlog } from './publishing.ts';
import { differenceOf, walk, walkTags, type PublicBlog } from './reading.ts';
import { hashOf, type JourneyState } from './state.ts';

interface VerifyOptions extends Run {
  readonly credentials: Credentials;
  readonly state: JourneyState;
}

/** Checks the records of an earlier run with `--state`. Apart from two sign-ins it only reads. */
export async function verifyJourney({
  client,
  recorder,
  credentials,
  state,
}: VerifyOptions): Promise<void> {
  const run = { client, recorder };
  console.log(`reading ${state.live.length} articles of an earlier run back`);
  await client.call('health', 'GET', '/health');
  for (const record of state.live) {
    const paths = { id: record.id, slug: encodeURIComponent(record.slug) };
    for (const [by, key] of Object.entries(paths)) {
      const step = `read by ${by}`;
      const { data } = await client.call<PublicBlog>(step, 'GET', `/blog/${by}/${key}`);
      const problem =
        differenceOf(data, record) ??
        (hashOf(data.text) === record.textSha256 ? null : 'another text');
      recorder.check(step, problem === null, `"${record.title}": ${problem}`);
    }
  }
  await walk(run, 'list latest', '/blogs/latest', state.live);
  await walkTags(run, state.live);
  for (const { id, slug } of state.gone) {
    const gone = { expect: 404 };
    await client.call(
      'read an unpublished or deleted article (404)',
      'GET',
      `/blog/id/${id}`,
      gone,
    );
    const path = `/blog/slug/${encodeURIComponent(slug)}`;
    await client.call('read an unpublished or deleted article (404)', 'GET', path, gone);
  }
  await signIn(run, { email: credentials.adminEmail, password: credentials.adminPassword });
  const author = await signIn(run, state.author);
  for (const { id, title } of state.drafts) {
    const path = `/blog/author/id/${id}`;
    const { data } = await client.call<EditorialBlog>('read own draft', 'GET', path, {
      as: author,
    });
    const isDraft = data.title === title && flagsOf(data) === 'drafted';
    recorder.check('read own draft', isDraft, `"${title}" is ${flagsOf(data)}`);
  }
}
