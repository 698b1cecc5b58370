import { editWhileLive, readHistory, removeOne, unpublishOne } from './changes.mjs';
import { signUpPeople } from './people.mjs';
import { createArticle, publishArticle, submitArticle } from './publishing.mjs';
import { readLists, readOne } from './reading.mjs';
import { hashOf } from './state.mjs';
import { UnexpectedAnswerError } from './client.mjs';

/**
 * The whole way of every article: written, submitted, published, read back; then one edited while
 * live, one unpublished, one deleted.
 *
 * People and, where taken, slugs carry the run's own ending, so that runs do not meet.
 *
 * @returns what `--verify` reads back later
 */
export async function runJourney({ client, recorder, credentials, articles }) {
  const run = { client, recorder, id: Date.now().toString(36) };
  await client.call('health', 'GET', '/health');
  await client.call('check the API key', 'GET', '/auth/verify/apikey');
  const people = await signUpPeople(run, credentials);
  console.log(`run ${run.id}: ${people.author.email} writes, ${people.editor.email} publishes`);

  const written = await each(articles, (article) => createArticle(run, people, article));
  const suffixed = written.filter(({ isSuffixed }) => isSuffixed).length;
  if (suffixed > 0) console.log(`${suffixed} slugs were taken and got the ending -${run.id}`);
  const submitted = await each(written, (record) => submitArticle(run, people, record));
  const published = await each(submitted, (record) => publishArticle(run, people, record));
  const read = await each(published, (record) => readOne(run, record));
  await readLists(run, published);

  const [edited, unpublished, removed] = read;
  const scenes = [
    [edited, editWhileLive],
    [edited, readHistory],
    [unpublished, unpublishOne],
    [removed, removeOne],
  ];
  for (const [record, scene] of scenes) {
    if (record) await each([record], () => scene(run, people, record));
    else recorder.fail(scene.name, 'no article has come this far');
  }
  return stateOf(people, published, { unpublished, removed });
}

/** Goes on after an unexpected answer, which the client has recorded. */
async function each(items, action) {
  const results = [];
  for (const item of items) {
    try {
      results.push(await action(item));
    } catch (error) {
      if (!(error instanceof UnexpectedAnswerError)) throw error;
    }
  }
  return results;
}

function stateOf({ author }, published, { unpublished, removed }) {
  const gone = [unpublished, removed].filter(Boolean);
  return {
    author: { email: author.email, password: author.password },
    live: published
      .filter((record) => !gone.includes(record))
      .map(({ id, slug, title, description, tags, text }) => {
        return { id, slug, title, description, tags, textSha256: hashOf(text) };
      }),
    drafts: [unpublished].filter(Boolean).map(({ id, title }) => ({ id, title })),
    gone: gone.map(({ id, slug }) => ({ id, slug })),
  };
}
