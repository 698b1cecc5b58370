// Adapts the API description, which is written for programs, to the people who read the page: groups
// operations by who needs them, leaves inputs empty, and shows once what every operation repeats.

/** Name, description and tags of each group of operations. A tag that is not listed is a group of its own. */
const GROUPS = [
  ['Readers', 'A site or an app that shows articles. An API key is enough.', ['public', 'contact']],
  ['Accounts', 'Sign up, sign in, sessions, your own account.', ['auth', 'profile']],
  [
    'Authors',
    'Your own articles and pictures: write, submit, withdraw. Needs the role AUTHOR.',
    ['author', 'media'],
  ],
  ['Editors', 'Review, publish, schedule, take down. Needs the role EDITOR.', ['editor']],
  ['Admins', 'People, API keys, webhooks, messages. Needs the role ADMIN.', ['admin']],
  ['Operators', 'Health and public keys. Needs no key.', ['health', 'operators']],
];

/** The group that is open at first. */
export const [[FIRST_GROUP]] = GROUPS;

/** Statuses of errors that any operation may have; the page lists them once instead of at every operation. */
const GENERAL_STATUSES = ['408', '413', '415', '431', '500', '503'];

const METHODS = ['get', 'post', 'put', 'delete', 'patch'];

/** Changes the description and returns it. */
export function readable(description) {
  description.paths = writtenOut(description.paths, description.components);
  const paths = Object.entries(description.paths);
  const operations = paths.flatMap(([, path]) => METHODS.flatMap((method) => path[method] ?? []));
  const [summary, ...rules] = description.info.description.split('\n\n');
  description.info.description = [
    summary,
    details('Rules of every operation', rules.join('\n\n')),
    details('Headers of the answers', headerTable(description)),
    details('Errors', errorText(operations)),
  ].join('\n\n');
  // The page tries operations on the server from which it was loaded.
  description.servers = [{ url: '/' }];
  description.tags = [
    ...GROUPS.map(([name, text]) => ({ name, description: text })),
    ...(description.tags ?? []).filter(({ name }) => groupOf(name) === name),
  ];
  description.paths = Object.fromEntries(paths.sort(byEase));
  for (const operation of operations) {
    // Swagger UI replaces `_` by a blank in the link to an operation.
    operation.operationId = operation.operationId.replaceAll('_', '-');
    operation.tags = [groupOf(operation.tags?.[0] ?? 'Others')];
    for (const parameter of operation.parameters ?? []) unfill(parameter);
    for (const status of GENERAL_STATUSES) delete operation.responses[status];
    for (const [status, response] of Object.entries(operation.responses)) {
      delete response.headers;
      if (status >= '400') delete response.content;
      tellMessage(response);
    }
  }
  return description;
}

const SHARED = /^#\/components\/(parameters|responses|examples)\/(\w+)$/;

/** Writes out the parameters, the responses and the examples to which operations refer. */
function writtenOut(part, components) {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((item) => writtenOut(item, components));
  const { $ref = '', ...others } = part;
  const [, kind, name] = SHARED.exec($ref) ?? [];
  // A description next to the reference replaces the description of the component.
  if (kind) return { ...writtenOut(components[kind][name], components), ...others };
  const members = Object.entries(part);
  return Object.fromEntries(members.map(([key, value]) => [key, writtenOut(value, components)]));
}

/**
 * Sorts operations: those that can be tried at once first, those that need an id after them, and
 * deprecated ones last.
 */
function byEase(some, others) {
  return effortOf(some) - effortOf(others);
}

function effortOf([path, operations]) {
  const isDeprecated = METHODS.some((method) => operations[method]?.deprecated);
  return (isDeprecated ? 2 : 0) + (path.includes('{') ? 1 : 0);
}

function groupOf(tag) {
  return GROUPS.find(([, , tags]) => tags.includes(tag))?.[0] ?? tag;
}

/**
 * Sets the message in the example to that of the operation, which is the description of the response.
 * All responses with the same envelope share one example, which lacks the operation's message.
 */
function tellMessage({ description, content = {} }) {
  for (const { example } of Object.values(content))
    if (example?.message) example.message = description;
}

/**
 * Moves the example of a parameter into its description. The page would otherwise fill it in and send
 * it, such as a cursor that leads nowhere or a tag that no article has.
 */
function unfill(parameter) {
  const { schema = {}, description = '' } = parameter;
  const note =
    schema.default === undefined
      ? noteOf('Example', parameter.example ?? schema.example)
      : noteOf('Default', schema.default);
  for (const key of ['example', 'default']) delete schema[key];
  delete parameter.example;
  parameter.description = [description.replace(/\.$/, ''), note].filter(Boolean).join('. ');
}

function noteOf(label, value) {
  return value === undefined ? '' : `${label}: \`${value}\``;
}

function headerTable({ paths, components }) {
  const named = new Map();
  for (const [, name, component] of JSON.stringify(paths).matchAll(
    /"([\w-]+)":\{"\$ref":"#\/components\/headers\/(\w+)"\}/g,
  )) {
    named.set(name, components.headers[component].description ?? '');
  }
  return table([...named].sort().map(([name, text]) => [`\`${name}\``, text]));
}

function errorText(operations) {
  const rows = GENERAL_STATUSES.map((status) => [
    status,
    mostFrequent(operations.flatMap(({ responses }) => responses[status]?.description ?? [])),
  ]);
  const [{ value }] = operations.flatMap(({ responses }) =>
    Object.values(responses['404']?.content?.['application/json']?.examples ?? {}),
  );
  return [
    `An error has a body such as \`${JSON.stringify(value)}\`. Any operation may answer:`,
    table(rows),
  ].join('\n\n');
}

function mostFrequent(texts) {
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].sort(([, some], [, others]) => others.length - some.length)[0]?.[0] ?? '';
}

function table(rows) {
  const lines = rows.map(
    (cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return ['| | |', '|---|---|', ...lines].join('\n');
}

/** Markdown that is collapsed at first. */
function details(title, text) {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}
