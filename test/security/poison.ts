import * as fc from 'fast-check';

/** What a server might take for something other than text, as it stands in JSON. */
const POISONED_JSON: readonly string[] = [
  '{"$gt":""}',
  '{"$ne":null}',
  '{"$in":[""]}',
  '{"$regex":".*"}',
  '{"$where":"sleep(1)"}',
  '{"$expr":{"$eq":[1,1]}}',
  '{"$set":{"status":true}}',
  '[{"$gt":""}]',
  '[["$gt",""]]',
  '[]',
  '{}',
  '[null]',
  '{"$oid":"66f1a2b3c4d5e6f708192a3b"}',
  '{"_bsontype":"ObjectId","id":"66f1a2b3c4d5e6f708192a3b"}',
  '{"_bsontype":"Code","code":"sleep(1)"}',
  '{"__proto__":{"enabled":true}}',
  '{"constructor":{"prototype":{"enabled":true}}}',
  '{"constructor":"x"}',
  '{"prototype":{"enabled":true}}',
  '{"toString":"x","valueOf":1}',
  '{"length":1000000000}',
  '"$password"',
  '"$$ROOT"',
  '"$$REMOVE"',
  '"title.0.$[]"',
  '"__proto__"',
  '"undefined"',
  '"Infinity"',
  '"NaN"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00 text"',
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1e400',
  '1e-7',
  '9007199254740993',
];

const LONG = 'x'.repeat(5_000);

/** Names of fields that a document, a query or an object of the language gives a meaning. */
const POISONED_NAMES: readonly string[] = [
  '$where',
  '$set',
  '$or',
  '$expr',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '_bsontype',
  '_id',
  'author.$',
  'live.at',
  'tags.0',
  'status',
  'roles',
  'score',
  '',
];

/** In a path or a header, where everything is text. */
const POISONED_TEXTS: readonly string[] = [
  '{"$gt":""}',
  '[$ne]',
  '$where',
  '$password',
  '$$ROOT',
  '__proto__',
  'constructor',
  'toString',
  'undefined',
  'null',
  'NaN',
  'Infinity',
  '0',
  '-1',
  'aaaaaaaaaaaa',
  '66F1A2B3C4D5E6F708192A3B',
  'zzzzzzzzzzzzzzzzzzzzzzzz',
  '../../admin/users',
  "'; return true; //",
  '.*',
  'a.b',
  'x'.repeat(200),
];

/** A query string: brackets, repetitions, broken escapes. `#` stands for a parameter's name. */
const POISONED_QUERIES: readonly string[] = [
  '#[$gt]=',
  '#[$ne]=x',
  '#[]=1&#[]=2',
  '#[0]=1',
  '#[__proto__][x]=1',
  '#=1&#=2',
  '#=%7B%22%24gt%22%3A%22%22%7D',
  '#={"$gt":""}',
  '#=%24where',
  '#=$where',
  '#=',
  '#',
  '#=undefined',
  '#=null',
  '#=NaN',
  '#=Infinity',
  '#=1e3',
  '#=-1',
  '#=%00',
  '#=%ED%A0%80',
  '#=%',
  '#.$gt=1',
  `#=${LONG}`,
  '__proto__[x]=1',
  '__proto__.x=1',
  'constructor[prototype][x]=1',
  '$where=1',
  '[]=1',
];

const poisonedJson = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...POISONED_JSON, JSON.stringify(LONG)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
);

const poisonedText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...POISONED_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1 }) },
);

function poisonedQuery(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names, 'page', 'limit', 'status');
  return fc
    .tuple(fc.constantFrom(...POISONED_QUERIES), name)
    .map(([query, parameter]) => query.replaceAll('#', parameter));
}

const HEADERS = [
  'x-api-key',
  'authorization',
  'if-match',
  'if-none-match',
  'x-request-id',
  'x-http-method-override',
  'cookie',
  'user-agent',
];

const poisonedHeader = fc.tuple(
  fc.constantFrom(...HEADERS),
  fc.oneof(
    poisonedText,
    poisonedText.map((text) => `Bearer ${text}`),
    poisonedText.map((text) => `"${text}"`),
  ),
);

/** How an honest request is changed; empty parts leave it as it is. */
export interface Poison {
  /** Fields of the body, in place of the honest ones or besides, as JSON. */
  readonly fields: readonly (readonly [name: string, json: string])[];
  /** Instead of the whole body. */
  readonly body: string | null;
  /** In place of the parameter of the path. */
  readonly target: string | null;
  readonly query: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const NONE = { fields: [], body: null, target: null, query: [], headers: [] } as const;

/** The fields and parameters that an endpoint knows. */
export interface Names {
  readonly body: readonly string[];
  readonly query: readonly string[];
  readonly hasTarget: boolean;
  readonly takesBody: boolean;
}

/** What every field, parameter and path is tried with before chance takes over. */
export function surePoison({ body, query, hasTarget, takesBody }: Names): Poison[] {
  const sure = (part: Partial<Poison>): Poison => ({ ...NONE, ...part });
  return [
    ...body.flatMap((name) => SURE_JSON.map((json) => sure({ fields: [[name, json]] }))),
    ...query.flatMap((name) =>
      SURE_QUERIES.map((text) => sure({ query: [text.replaceAll('#', name)] })),
    ),
    ...(hasTarget ? SURE_TEXTS : []).map((target) => sure({ target })),
    ...(takesBody ? SURE_BODIES : []).map((text) => sure({ body: text })),
  ];
}

const SURE_JSON = [
  '{"$gt":""}',
  '["$gt"]',
  '{"_bsontype":"ObjectId","id":"66f1a2b3c4d5e6f708192a3b"}',
  '"$password"',
  'null',
  '7',
];
const SURE_QUERIES = ['#[$gt]=', '#=1&#=2', '#={"$gt":""}', '#=$password'];
const SURE_TEXTS = ['{"$gt":""}', '$password', 'aaaaaaaaaaaa', 'undefined'];
const SURE_BODIES = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"$where":"1","_bsontype":"ObjectId","status":{"$ne":null}}',
];

/** Any of it, in any part of a request. */
export function poison(names: Names): fc.Arbitrary<Poison> {
  const known = names.body.length > 0 ? [fc.constantFrom(...names.body)] : [];
  const name = fc.oneof(...known, fc.constantFrom(...POISONED_NAMES));
  const field = fc.tuple(name, poisonedJson);
  const parts = {
    fields: fc.array(field, { minLength: 1, maxLength: 3 }),
    body: poisonedJson,
    target: poisonedText,
    query: fc.array(poisonedQuery(names.query), { minLength: 1, maxLength: 2 }),
    headers: fc.array(poisonedHeader, { minLength: 1, maxLength: 2 }),
  };
  const bodyWeight = names.takesBody ? Math.min(6, 1 + names.body.length) : 0;
  // Mostly one kind at a time: what one refuses, another would not get to see.
  return fc.oneof(
    { weight: bodyWeight, arbitrary: some({ fields: parts.fields }) },
    { weight: names.takesBody ? 1 : 0, arbitrary: some({ body: parts.body }) },
    { weight: names.hasTarget ? 3 : 0, arbitrary: some({ target: parts.target }) },
    { weight: names.query.length > 0 ? 5 : 1, arbitrary: some({ query: parts.query }) },
    { weight: 2, arbitrary: some({ headers: parts.headers }) },
    { weight: 2, arbitrary: some(parts) },
  );
}

function some(parts: {
  readonly [Part in keyof Poison]?: fc.Arbitrary<Poison[Part]>;
}): fc.Arbitrary<Poison> {
  return fc.record(parts).map((chosen) => ({ ...NONE, ...chosen }));
}
