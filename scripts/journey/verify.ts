import type { Run } from './client.ts';
import type { Credentials } from './credentials.ts';
import { signIn } from './people.ts';
import { flagsOf } from './publishing.ts';
import { differenceOf, walk, walkTags } from './reading.ts';
import { hashOf, type JourneyState } from './state.ts';

interface VerifyOptions extends Run {
  readonly credentials: Credentials;
  readonly state: JourneyState;
}

/** Checks the records that an earlier run with `--state` has noted. It only reads, except that it signs in twice. */
export async function verifyJourney({
  client,
  recorder,
  credentials,
  state,
}: VerifyOptions): Promise<void> {
  const run = { client, recorder };
  console.log(`reading back ${state.live.length} articles of an earlier run`);
  await client.call('health', 'GET', '/health');
  for (const record of state.live) {
    const paths = { 'read by id': '/blog/id/{id}', 'read by slug': '/blog/slug/{slug}' } as const;
    for (const step of ['read by id', 'read by slug'] as const) {
      const { data } = await client.call(step, 'GET', paths[step], { path: record });
      const problem =
        differenceOf(data, record) ??
        (hashOf(data.text ?? '') === record.textSha256 ? null : 'another text');
      recorder.check(step, problem === null, `"${record.title}": ${problem}`);
    }
  }
  await walk(run, 'list latest', state.live);
  await walkTags(run, state.live);
  for (const { id, slug } of state.gone) {
    const step = 'read an unpublished or deleted article (404)';
    await client.call(step, 'GET', '/blog/id/{id}', { path: { id }, expect: 404 });
    await client.call(step, 'GET', '/blog/slug/{slug}', { path: { slug }, expect: 404 });
  }
  await signIn(run, { email: credentials.adminEmail, password: credentials.adminPassword });
  const author = await signIn(run, state.author);
  for (const { id, title } of state.drafts) {
    const { data } = await client.call('read own draft', 'GET', '/blog/author/id/{id}', {
      as: author,
      path: { id },
    });
    const isDraft = data.title === title && flagsOf(data) === 'drafted';
    recorder.check('read own draft', isDraft, `"${title}" is ${flagsOf(data)}`);
  }
}
