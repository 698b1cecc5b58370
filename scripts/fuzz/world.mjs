import { randomUUID } from 'node:crypto';
import { CREDENTIALS } from '../own-server.mjs';

/** The way of a new draft to each state; an edit of a live blog makes a draft beside it. */
const WAYS = {
  draft: [],
  'in review': ['submit'],
  live: ['submit', 'publish'],
  'live with draft': ['submit', 'publish', 'edit'],
  'live in review': ['submit', 'publish', 'edit', 'submit'],
};

/** Blogs of each state, for each of those who write. */
const BLOGS_PER_STATE = 4;
const VICTIMS = 6;

/** Whose key and token the requests carry. Roles are exact: the last one has a seeded admin's four. */
export const IDENTITIES = {
  'key only': [],
  LEARNER: ['LEARNER'],
  AUTHOR: ['AUTHOR'],
  EDITOR: ['EDITOR'],
  ADMIN: ['ADMIN'],
  'all roles': ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN'],
};

/**
 * Fills a fresh server by its API: a person of each identity, blogs in every state, messages, and
 * accounts and keys that nobody needs, for what changes or deletes such.
 *
 * @returns `people` by identity, `known` values of path parameters, and the ids of what the run
 * itself stands on (`kept`)
 */
export async function seedWorld({ call }) {
  const root = await call('POST', '/auth/signin/basic', { body: CREDENTIALS });
  const admin = root.tokens.accessToken;
  const keys = await call('GET', '/admin/apikeys', { token: admin });

  const signUp = (roles) => newPerson(call, admin, roles);
  const people = {};
  for (const [name, roles] of Object.entries(IDENTITIES)) {
    people[name] = roles.length === 0 ? null : await signUp(roles);
  }
  const victims = [];
  for (let count = 0; count < VICTIMS; count += 1) victims.push(await signUp(['LEARNER']));
  const spareKeys = [];
  for (let count = 0; count < VICTIMS; count += 1) {
    const body = { comment: `spare ${count}` };
    spareKeys.push(await call('POST', '/admin/apikeys', { token: admin, body }));
  }
  const blogs = [];
  for (const name of ['AUTHOR', 'all roles']) {
    blogs.push(...(await writeBlogs(call, people[name].token, people['all roles'].token)));
  }
  for (const type of ['question', 'praise']) {
    await call('POST', '/contact', { body: { type, msg: `A ${type} for the operators.` } });
  }
  const all = [...Object.values(people).filter(Boolean), ...victims];
  return {
    people,
    known: {
      blogs: blogs.map(({ _id }) => _id),
      slugs: blogs.map(({ slug }) => slug),
      tags: ['fuzz', 'Seeded Tag', '%'],
      users: all.map(({ id }) => id),
      keys: spareKeys.map(({ _id }) => _id),
    },
    victims: { users: victims.map(({ id }) => id), keys: spareKeys.map(({ _id }) => _id) },
    kept: [
      root.user._id,
      ...keys.map(({ _id }) => _id),
      ...Object.values(people).flatMap((person) => (person ? [person.id] : [])),
    ],
  };
}

async function newPerson(call, admin, roles) {
  const email = `${randomUUID()}@fuzz.example`;
  const password = 'password of the fuzz run';
  const name = roles.join(' and ');
  const { user, tokens } = await call('POST', '/auth/signup/basic', {
    body: { email, password, name },
  });
  const id = user._id;
  await call('PUT', `/admin/users/id/${id}/roles`, { token: admin, body: { roles } });
  return { id, email, password, token: tokens.accessToken };
}

async function writeBlogs(call, author, editor) {
  const blogs = [];
  for (const [state, way] of Object.entries(WAYS)) {
    for (let count = 0; count < BLOGS_PER_STATE; count += 1) {
      const created = await call('POST', '/blog/author', { token: author, body: draft(state) });
      const id = created._id;
      const moves = {
        submit: ['PUT', `/blog/author/submit/${id}`, { token: author }],
        publish: ['PUT', `/blog/editor/publish/id/${id}`, { token: editor }],
        edit: ['PUT', `/blog/author/id/${id}`, { token: author, body: { title: 'Edited title' } }],
      };
      for (const move of way) await call(...moves[move]);
      blogs.push(created);
    }
  }
  return blogs;
}

function draft(state) {
  return {
    title: `A blog that is ${state}`,
    description: 'Written by the fuzz run, to be read, moved and deleted.',
    draftText: '<p>Some <em>text</em>.</p>',
    tags: ['fuzz', 'Seeded Tag'],
  };
}
