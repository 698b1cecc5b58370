import { randomBytes } from 'node:crypto';

/**
 * Signs up an author, an editor and a reader; the admin gives the first two their roles, which
 * hold from the next request on, with the tokens they have.
 */
export async function signUpPeople(run, { adminEmail, adminPassword }) {
  const { client, recorder } = run;
  const signedIn = await client.call('sign in', 'POST', '/auth/signin/basic', {
    body: { email: adminEmail, password: adminPassword },
  });
  const admin = signedIn.data.tokens;
  const author = await signUp(run, 'Author');
  const editor = await signUp(run, 'Editor');
  const reader = await signUp(run, 'Reader');

  const denied = { as: author.tokens, expect: 403 };
  await client.call('without the role: 403', 'GET', '/blog/author/drafts', denied);
  await client.call('without the role: 403', 'GET', '/admin/users', denied);
  await giveRoles(run, admin, author, ['LEARNER', 'AUTHOR']);
  await giveRoles(run, admin, editor, ['LEARNER', 'EDITOR']);
  await client.call('without the role: 403', 'GET', '/blog/editor/submitted', denied);

  const { data } = await client.call('own profile', 'GET', '/profile/mine', {
    as: author.tokens,
  });
  const codes = data.roles.map(({ code }) => code).join();
  recorder.check('own profile', codes === 'LEARNER,AUTHOR', `the author's roles are ${codes}`);
  return { admin, author, editor, reader };
}

async function signUp({ client, recorder, id }, role) {
  const email = `${role.toLowerCase()}-${id}@journey.example`;
  const password = randomBytes(12).toString('base64url');
  const name = `${role} ${id}`;
  const { data } = await client.call('sign up', 'POST', '/auth/signup/basic', {
    body: { email, password, name },
  });
  const { user, tokens } = data;
  const codes = user.roles.map(({ code }) => code).join();
  recorder.check('sign up', user.email === email && user.name === name, `got ${user.email}`);
  recorder.check('sign up', codes === 'LEARNER', `a new user has the roles ${codes}`);
  return { id: user._id, email, password, name, tokens };
}

async function giveRoles({ client, recorder }, admin, person, roles) {
  const step = 'give roles';
  const { data } = await client.call(step, 'PUT', `/admin/users/id/${person.id}/roles`, {
    as: admin,
    body: { roles },
  });
  const codes = data.roles.map(({ code }) => code);
  recorder.check(step, codes.join() === roles.join(), `${person.email} has ${codes.join()}`);
}
