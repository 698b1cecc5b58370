import { createRequire } from 'node:module';
import { mongo } from 'mongoose';

const { EJSON } = mongo.BSON;

/** The path is the same from `src/transfer/export` and from `dist/transfer/export`. */
const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

export const FORMAT = 'pressroom-export';
export const FORMAT_VERSION = 1;

/** The first line of an export. It holds no time, so that equal records make equal files. */
export interface ExportHeader {
  readonly format: typeof FORMAT;
  readonly formatVersion: number;
  /** The version of Pressroom that wrote the export. */
  readonly pressroom: string;
}

/** Any line after the first. */
export interface ExportLine {
  readonly collection: string;
  readonly record: mongo.Document;
}

export function headerLine(): string {
  const header: ExportHeader = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    pressroom: version,
  };
  return `${JSON.stringify(header)}\n`;
}

/** The line of a record: relaxed Extended JSON with sorted fields (see `inOrder`). */
export function recordLine(collection: string, record: mongo.Document): string {
  const line: ExportLine = { collection, record: inOrder(record) as mongo.Document };
  return `${EJSON.stringify(line, { relaxed: true })}\n`;
}

/** @throws SyntaxError and other errors for a line that is no Extended JSON */
export function parseLine(line: string): unknown {
  return EJSON.parse(line, { relaxed: true });
}

/**
 * The record with sorted fields: `_id` first, then by name. An `_id` that is an object keeps the order
 * of its fields, because MongoDB compares them in this order.
 */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  const { _id, ...fields } = value as mongo.Document;
  const ordered = Object.keys(fields)
    .sort()
    .map((name) => [name, inOrder(fields[name])]);
  return { ...(_id === undefined ? {} : { _id: _id as unknown }), ...Object.fromEntries(ordered) };
}
