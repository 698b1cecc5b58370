// Data that both pages keep about the server and the signed-in person. The browser deletes it when
// the tab is closed.
const API_KEY = 'pressroom.apiKey';
const SIGNED_IN = 'pressroom.signedIn';

const LOCAL = 'pressroom.local';

/**
 * See ServerFacts in src/web/server-facts.ts. `local` has the secrets that the tab got by the link which the start of
 * the server prints; `isLinkSpent` says that the link did not open.
 */
export async function readFacts() {
  const [, token] = /^#link=(.+)$/.exec(location.hash) ?? [];
  if (token) {
    history.replaceState(null, '', location.pathname);
    const { local } = await post('/assets/local.json', { token });
    if (local) sessionStorage.setItem(LOCAL, JSON.stringify(local));
  }
  const response = await fetch('/assets/server.json');
  const local = JSON.parse(sessionStorage.getItem(LOCAL)) ?? undefined;
  return { ...(await response.json()), local, isLinkSpent: Boolean(token) && !local };
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

export function apiKeyOf(facts) {
  return sessionStorage.getItem(API_KEY) ?? facts.local?.apiKey ?? '';
}

export function saveApiKey(apiKey) {
  sessionStorage.setItem(API_KEY, apiKey);
}

/** The signed-in person, `{ name, roles, accessToken }`, or null. */
export function signedIn() {
  return JSON.parse(sessionStorage.getItem(SIGNED_IN));
}

export function saveSignedIn(person) {
  sessionStorage.setItem(SIGNED_IN, JSON.stringify(person));
}

/**
 * Calls the API. Returns `data` of the answer; throws an Error with the answer's message when the
 * request is refused.
 */
export async function call(path, apiKey, body) {
  const response = await fetch(path, {
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const { message, data } = await response.json();
  if (!response.ok) throw new Error(message);
  return data;
}

/** Makes an element with these properties and this content. Text is set as text, never as HTML. */
export function element(name, properties = {}, ...content) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...content);
  return made;
}
