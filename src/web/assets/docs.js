import {
  apiKeyOf,
  call,
  element,
  readFacts,
  saveApiKey,
  saveSignedIn,
  signedIn,
} from '/assets/session.js';
import { FIRST_GROUP, readable } from './readable.js';

const byId = (id) => document.getElementById(id);
const say = (text) => (byId('session').textContent = text);

const [facts, description] = await Promise.all([
  readFacts(),
  fetch('/openapi.json').then((response) => response.json()),
]);

const ui = window.SwaggerUIBundle({
  spec: readable(description),
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  // Drawing all operations takes seconds on a slow machine.
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // Removes a badge that is loaded from another host.
  validatorUrl: null,
  responseInterceptor: (response) => {
    if (response.headers?.instruction === 'refresh_token') {
      say('The access token has expired: sign in again.');
    }
    return response;
  },
});

function useApiKey(apiKey) {
  byId('api-key').value = apiKey;
  if (apiKey !== '') ui.preauthorizeApiKey('apiKey', apiKey);
}

function showSession() {
  const person = signedIn();
  byId('sign-out').hidden = person === null;
  if (person) ui.preauthorizeApiKey('accessToken', person.accessToken);
  say(person ? `Signed in as ${person.name} (${person.roles.join(', ')})` : 'Not signed in');
}

async function signIn(email, password) {
  try {
    const { user, tokens } = await call('/auth/signin/basic', byId('api-key').value, {
      email,
      password,
    });
    const roles = user.roles.map(({ code }) => code);
    saveSignedIn({ name: user.name, roles, accessToken: tokens.accessToken });
    byId('account').open = false;
    showSession();
  } catch (error) {
    say(`Not signed in: ${error.message}`);
  }
}

/** The button shows the last role, which is the strongest; the role LEARNER is shown as "reader". */
function buttonOf({ name, email, password, roles }) {
  const role = roles.at(-1).toLowerCase().replace('learner', 'reader');
  const button = element('button', { type: 'button' }, `${name.split(' ')[0]}, ${role}`);
  button.addEventListener('click', () => signIn(email, password));
  return button;
}

byId('people').append(...(facts.local?.people ?? []).map(buttonOf));
byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const apiKey = byId('api-key').value.trim();
  saveApiKey(apiKey);
  useApiKey(apiKey);
  say('The API key is used from now on.');
});
byId('account-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void signIn(byId('email').value, byId('password').value);
});
byId('sign-out').addEventListener('click', () => {
  saveSignedIn(null);
  ui.authActions.logout(['accessToken']);
  showSession();
});
ui.layoutActions.show(['operations-tag', FIRST_GROUP], true);
useApiKey(apiKeyOf(facts));
showSession();
