import * as fc from 'fast-check';
import { cycled, isLong } from '../support/scale.js';

/** JSON values that a query, an update or the code of the server might misread. */
const HOSTILE_JSON: readonly string[] = [
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

/** Field names that have a meaning in a document, a query or a JavaScript object. */
const HOSTILE_NAMES: readonly string[] = [
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

/** Values for a path or a header, where everything is text. */
const HOSTILE_TEXTS: readonly string[] = [
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

/** Query strings with brackets, repetitions and broken escapes. `#` stands for the name of a parameter. */
const HOSTILE_QUERIES: readonly string[] = [
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

const hostileJson = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_JSON, JSON.stringify(LONG)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
);

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1 }) },
);

function hostileQuery(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...names, 'page', 'limit', 'status');
  return fc
    .tuple(fc.constantFrom(...HOSTILE_QUERIES), name)
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

const hostileHeader = fc.tuple(
  fc.constantFrom(...HEADERS),
  fc.oneof(
    hostileText,
    hostileText.map((text) => `Bearer ${text}`),
    hostileText.map((text) => `"${text}"`),
  ),
);

/** How a valid request is changed; empty parts leave it as it is. */
export interface HostileInput {
  /** Fields as JSON, which replace the valid ones of the body or are added to them. */
  readonly fields: readonly (readonly [name: string, json: string])[];
  /** Replaces the whole body. */
  readonly body: string | null;
  /** Replaces the parameter of the path. */
  readonly target: string | null;
  readonly query: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const NO_INPUT = { fields: [], body: null, target: null, query: [], headers: [] } as const;

/** The fields and parameters that an endpoint knows. */
export interface EndpointInputs {
  readonly body: readonly string[];
  readonly query: readonly string[];
  readonly hasTarget: boolean;
  readonly takesBody: boolean;
}

/**
 * Inputs that are sent before the random ones. In every field, parameter, path and body, `npm test`
 * sends the first item of its list below and one more; `npm run test:long` sends all items.
 *
 * @param shift the index of the route, so that routes get different further items
 */
export function fixedHostileInputs(
  { body, query, hasTarget, takesBody }: EndpointInputs,
  shift: number,
): HostileInput[] {
  const inputWith = (part: Partial<HostileInput>): HostileInput => ({ ...NO_INPUT, ...part });
  const itemsToSend = ([first, ...others]: readonly string[], index: number): readonly string[] =>
    isLong ? [first ?? '', ...others] : [first ?? '', cycled(others, index + shift)];
  return [
    ...body.flatMap((name, index) =>
      itemsToSend(FIXED_JSON, index).map((json) => inputWith({ fields: [[name, json]] })),
    ),
    ...query.flatMap((name, index) =>
      itemsToSend(FIXED_QUERIES, index).map((text) =>
        inputWith({ query: [text.replaceAll('#', name)] }),
      ),
    ),
    ...(hasTarget ? itemsToSend(FIXED_TEXTS, 0) : []).map((target) => inputWith({ target })),
    ...(takesBody ? itemsToSend(FIXED_BODIES, 0) : []).map((text) => inputWith({ body: text })),
  ];
}

const FIXED_JSON = [
  '{"$gt":""}',
  '["$gt"]',
  '{"_bsontype":"ObjectId","id":"66f1a2b3c4d5e6f708192a3b"}',
  '"$password"',
  'null',
  '7',
];
const FIXED_QUERIES = ['#[$gt]=', '#=1&#=2', '#={"$gt":""}', '#=$password'];
const FIXED_TEXTS = ['{"$gt":""}', '$password', 'aaaaaaaaaaaa', 'undefined'];
const FIXED_BODIES = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"$where":"1","_bsontype":"ObjectId","status":{"$ne":null}}',
];

/** Random inputs, in any part of a request. */
export function randomHostileInput(names: EndpointInputs): fc.Arbitrary<HostileInput> {
  const known = names.body.length > 0 ? [fc.constantFrom(...names.body)] : [];
  const name = fc.oneof(...known, fc.constantFrom(...HOSTILE_NAMES));
  const field = fc.tuple(name, hostileJson);
  const parts = {
    fields: fc.array(field, { minLength: 1, maxLength: 3 }),
    body: hostileJson,
    target: hostileText,
    query: fc.array(hostileQuery(names.query), { minLength: 1, maxLength: 2 }),
    headers: fc.array(hostileHeader, { minLength: 1, maxLength: 2 }),
  };
  const bodyWeight = names.takesBody ? Math.min(6, 1 + names.body.length) : 0;
  // Mostly one part at a time, because after the refusal of one part the server does not read the others.
  return fc.oneof(
    { weight: bodyWeight, arbitrary: inputOf({ fields: parts.fields }) },
    { weight: names.takesBody ? 1 : 0, arbitrary: inputOf({ body: parts.body }) },
    { weight: names.hasTarget ? 3 : 0, arbitrary: inputOf({ target: parts.target }) },
    { weight: names.query.length > 0 ? 5 : 1, arbitrary: inputOf({ query: parts.query }) },
    { weight: 2, arbitrary: inputOf({ headers: parts.headers }) },
    { weight: 2, arbitrary: inputOf(parts) },
  );
}

function inputOf(parts: {
  readonly [Part in keyof HostileInput]?: fc.Arbitrary<HostileInput[Part]>;
}): fc.Arbitrary<HostileInput> {
  return fc.record(parts).map((chosen) => ({ ...NO_INPUT, ...chosen }));
}
