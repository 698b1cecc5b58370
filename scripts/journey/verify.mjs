import { differenceOf, walk, byTag } from './reading.mjs';
import { flagsOf } from './publishing.mjs';
import { hashOf } from './state.mjs';

/** Reads back what an earlier run noted with `--state`; writes nothing but two sessions. */
export async function verifyJourney({ client, recorder, credentials, state }) {
  const run = { client, recorder };
  console.log(`reading ${state.live.length} articles of an earlier run back`);
  await client.call('health', 'GET', '/health');
  for (const record of state.live) {
    const paths = { id: record.id, slug: encodeURIComponent(record.slug) };
    for (const [by, key] of Object.entries(paths)) {
      const step = `read by ${by}`;
      const { data } = await client.call(step, 'GET', `/blog/${by}/${key}`);
      const problem =
        differenceOf(data, record) ??
        (hashOf(data.text) === record.textSha256 ? null : 'another text');
      recorder.check(step, problem === null, `"${record.title}": ${problem}`);
    }
  }
  await walk(run, 'latest', '/blogs/latest', state.live);
  for (const [key, tagged] of byTag(state.live)) {
    await walk(run, 'by tag', `/blogs/tag/${encodeURIComponent(key)}`, tagged);
  }
  for (const { id, slug } of state.gone) {
    const gone = { expect: 404 };
    await client.call('unpublished or deleted: 404', 'GET', `/blog/id/${id}`, gone);
    const path = `/blog/slug/${encodeURIComponent(slug)}`;
    await client.call('unpublished or deleted: 404', 'GET', path, gone);
  }
  await signIn(client, { email: credentials.adminEmail, password: credentials.adminPassword });
  const author = await signIn(client, state.author);
  for (const { id, title } of state.drafts) {
    const { data } = await client.call('own draft', 'GET', `/blog/author/id/${id}`, { as: author });
    const isDraft = data.title === title && flagsOf(data) === 'drafted';
    recorder.check('own draft', isDraft, `"${title}" is ${flagsOf(data)}`);
  }
}

async function signIn(client, { email, password }) {
  const { data } = await client.call('sign in', 'POST', '/auth/signin/basic', {
    body: { email, password },
  });
  return data.tokens;
}
