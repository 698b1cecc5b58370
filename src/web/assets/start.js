import { apiKeyOf, call, element, readFacts, saveApiKey } from './session.js';

const NAMES = {
  '/docs': 'The API, to read and to try',
  '/openapi.json': 'Its description, for programs',
  '/health': 'Whether the server is well',
  '/feeds/rss.xml': 'RSS feed',
  '/feeds/atom.xml': 'Atom feed',
  '/feeds/feed.json': 'JSON feed',
  '/sitemap.xml': 'Sitemap',
};
const DEMO = 'npm run seed -- --demo';

const byId = (id) => document.getElementById(id);
const facts = await readFacts();

async function showState() {
  const response = await fetch('/health/ready');
  const { message } = await response.json();
  const text = response.ok ? 'ready' : message;
  byId('state').replaceChildren(
    element('strong', { className: response.ok ? 'good' : 'bad' }, text),
    ` · version ${facts.version} · ${facts.database} MongoDB`,
  );
}

function showLinks() {
  byId('links').replaceChildren(
    ...facts.links.flatMap((href) => [
      element('dt', {}, element('a', { href }, href)),
      element('dd', {}, NAMES[href]),
    ]),
  );
}

function command(title, text) {
  const code = element('pre', { tabIndex: 0 }, element('code', {}, text));
  const copy = element('button', { type: 'button', className: 'copy' }, 'Copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
  });
  return element('li', {}, element('p', {}, title, copy), code);
}

function publishing() {
  const docs = element('a', { href: '/docs' }, 'the API page');
  const how = ': sign in as an author there and create a blog, then as an editor publish it.';
  return element(
    'li',
    {},
    element('p', {}, element('span', {}, 'Write, submit, publish on ', docs, how)),
  );
}

function keyNote() {
  if (facts.local?.apiKey) return 'With the API key of this server, which this tab keeps:';
  if (facts.isLinkSpent) {
    return 'The link was opened before, or is older than ten minutes: "npx pressroom link" prints a new one.';
  }
  return facts.database === 'embedded'
    ? 'The API key is in credentials.json of the data folder; "npx pressroom link" prints a link that shows it here.'
    : 'Whoever runs the server knows the API key.';
}

function showSteps(apiKey) {
  const { origin } = location;
  const key = `-H 'x-api-key: ${apiKey || 'YOUR_API_KEY'}'`;
  const json = "-H 'content-type: application/json'";
  const account = '{"email":"you@example.org","password":"correct horse","name":"You"}';
  byId('key-form').hidden = apiKey !== '';
  byId('key-note').textContent = keyNote();
  byId('steps').replaceChildren(
    ...(facts.local?.people.length === 0 ? [command('Add people and articles to try', DEMO)] : []),
    command('Read the newest articles', `curl -s ${origin}/blogs/latest ${key}`),
    command('Search', `curl -s '${origin}/blogs/search?q=review' ${key}`),
    command('Sign up', `curl -s ${origin}/auth/signup/basic ${key} ${json} -d '${account}'`),
    ...(facts.links.includes('/docs') ? [publishing()] : []),
  );
}

function articleOf({ title, description, author, publishedAt, readingMinutes, tags }) {
  const date = new Date(publishedAt).toLocaleDateString('en', { dateStyle: 'medium' });
  const about = [author.name, date, `${readingMinutes} min`, tags.join(', ')];
  return element(
    'article',
    {},
    element('h3', {}, title),
    element('p', { className: 'about' }, about.filter(Boolean).join(' · ')),
    element('p', {}, description),
  );
}

async function showArticles(apiKey) {
  if (apiKey === '') return byId('articles').replaceChildren('They are shown with an API key.');
  try {
    const articles = await call('/blogs/latest?limit=5', apiKey);
    byId('articles').replaceChildren(...articles.map(articleOf));
    if (articles.length === 0) byId('articles').append('Nothing is published yet.');
  } catch (error) {
    byId('articles').replaceChildren(error.message);
  }
}

function show(apiKey) {
  showSteps(apiKey);
  void showArticles(apiKey);
}

byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  const apiKey = byId('api-key').value.trim();
  saveApiKey(apiKey);
  show(apiKey);
});
showLinks();
show(apiKeyOf(facts));
await showState();
