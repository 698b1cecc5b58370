import { WORDS } from '/assets/account-words.js';
import { element } from '/assets/session.js';

// The token is taken from the fragment, which browsers send to no server, and leaves the address at once, so that
// neither the history nor a bookmark keeps it. Nothing happens before a button is pressed: mail scanners follow links.
const [, kind = 'forgotten', token = ''] = /^#(\w+)=([\w-]+)$/.exec(location.hash) ?? [];
history.replaceState(null, '', location.pathname);

const byId = (id) => document.getElementById(id);
const { apiKey, site, language } = await (await fetch('/assets/account.json')).json();
const words = WORDS[language] ?? WORDS.en;
document.documentElement.lang = language;
byId('site').textContent = site;

const NEW_PASSWORD = {
  name: 'password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: 8,
};
const EMAIL = { name: 'email', type: 'email', autocomplete: 'username' };

/** What each kind of link shows: its fields, its button, where it is sent and what follows. */
const FORMS = {
  forgotten: {
    fields: [EMAIL],
    button: 'sendLink',
    path: '/auth/password/forgot',
    done: 'linkSent',
  },
  passwordReset: {
    fields: [NEW_PASSWORD],
    button: 'save',
    path: '/auth/password/reset',
    done: 'passwordSet',
  },
  emailVerification: { button: 'confirm', path: '/auth/email/verify', done: 'emailVerified' },
  emailChange: { button: 'confirm', path: '/auth/email/confirm', done: 'emailChanged' },
  emailUndo: { button: 'confirm', path: '/auth/email/undo', done: 'emailUndone' },
  invitation: {
    fields: [{ name: 'name', autocomplete: 'name' }, NEW_PASSWORD],
    button: 'accept',
    path: '/auth/invitation/accept',
    done: 'accepted',
    // An account has the address: its owner signs in, and accepts with it.
    otherwise: { email_taken: () => show('signIn') },
  },
  signIn: {
    fields: [
      EMAIL,
      { name: 'password', type: 'password', autocomplete: 'current-password' },
      { name: 'code', autocomplete: 'one-time-code', required: false },
    ],
    button: 'accept',
    path: '/auth/signin/basic',
    done: 'joined',
    next: ({ tokens }) => post('/auth/invitation/join', { token }, tokens.accessToken),
  },
};

async function post(path, body, accessToken) {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
    },
    body: JSON.stringify(body),
  });
  const { message, reason, data } = await response.json();
  if (!response.ok) throw Object.assign(new Error(message), { reason });
  return data;
}

function tell(text, className) {
  Object.assign(byId('message'), { textContent: text, className });
}

function inputFor({ name, ...properties }) {
  const input = element('input', { id: name, name, required: true, maxLength: 254, ...properties });
  return [element('label', { htmlFor: name }, words[name]), input];
}

async function submit({ path, done, next, otherwise = {} }) {
  const given = [...new FormData(byId('form'))].filter(([, value]) => value !== '');
  byId('form').querySelector('button').disabled = true;
  try {
    const data = await post(path, { ...(token ? { token } : {}), ...Object.fromEntries(given) });
    await next?.(data);
    byId('form').hidden = true;
    tell(words[done], 'good');
  } catch (error) {
    byId('form').querySelector('button').disabled = false;
    if (otherwise[error.reason]) otherwise[error.reason]();
    else tell(error.reason ? error.message : words.unreachable, 'bad');
  }
}

function show(name) {
  const form = FORMS[name] ?? FORMS.forgotten;
  const title = words[name in FORMS ? name : 'forgotten'];
  document.title = title;
  byId('title').textContent = title;
  tell('', '');
  if (!apiKey) return tell(words.closed, 'bad');
  const button = element('button', {}, words[form.button]);
  byId('form').replaceChildren(...(form.fields ?? []).flatMap(inputFor), button);
  byId('form').hidden = false;
  byId('form').onsubmit = (event) => {
    event.preventDefault();
    void submit(form);
  };
  (byId('form').querySelector('input') ?? button).focus();
}

show(kind);
