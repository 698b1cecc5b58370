import { Connections } from './load/agent.mjs';

/** Headers that differ from answer to answer, or that say nothing about its content. */
const PER_ANSWER = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);
const CONNECTIONS = 64;

/**
 * Reads each path once, many at a time, so that answers that get mixed up would show.
 *
 * @returns the bodies in the order of the paths
 * @throws Error for a status other than 200
 */
export async function readBodies(server, paths, headers = {}) {
  const connections = new Connections(server.url, CONNECTIONS);
  const bodies = [];
  try {
    let next = 0;
    const reader = async () => {
      while (next < paths.length) {
        const at = next;
        next += 1;
        const { status, body } = await connections.send({ path: paths[at], headers });
        if (status !== 200) throw new Error(`${paths[at]}: ${status} ${body.slice(0, 200)}`);
        bodies[at] = body;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, reader));
  } finally {
    connections.close();
  }
  return bodies;
}

/** @throws Error when an answer is not, byte for byte, the expected one */
export async function checkBodies(server, paths, expected, headers = {}) {
  const bodies = await readBodies(server, paths, headers);
  const at = bodies.findIndex((body, index) => body !== expected[index]);
  if (at < 0) return;
  throw new Error(
    `${paths[at]} answers otherwise than expected: ${differenceOf(bodies[at], expected[at])}\n` +
      `expected: ${differenceOf(expected[at], bodies[at])}`,
  );
}

/** The first characters in which a text differs from another. */
function differenceOf(text, other) {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return `… ${text.slice(Math.max(0, at - 40), at + 80)}`;
}

/** What two answers must have in common to the byte: status, header lines and body. */
export function essence({ status, headerLines, body }) {
  const lines = headerLines
    .filter((line) => !PER_ANSWER.has(nameOf(line)))
    .map((line) => `${nameOf(line)}:${line.slice(line.indexOf(':') + 1)}`);
  return [status, ...lines.toSorted(), body.toString('latin1')].join('\n');
}

/** The lines that a server on Node must set itself, by name. */
export function headersOf({ headerLines }) {
  return Object.fromEntries(
    headerLines
      .filter((line) => !PER_ANSWER.has(nameOf(line)) && nameOf(line) !== 'content-length')
      .map((line) => [nameOf(line), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

/** @throws Error when an answer is not, byte for byte, the expected one */
export function checkSame(path, answer, expected) {
  const [is, should] = [essence(answer), essence(expected)];
  if (is === should) return;
  throw new Error(
    `${path} answers otherwise than expected: ${differenceOf(is, should)}\n` +
      `expected: ${differenceOf(should, is)}`,
  );
}

function nameOf(line) {
  return line.slice(0, line.indexOf(':')).toLowerCase();
}
