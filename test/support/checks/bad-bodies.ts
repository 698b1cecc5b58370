import { expect } from '@jest/globals';
import type { Answer } from '../client.js';

/** A value that a field must refuse, and the message of the response. */
export interface BadField {
  readonly field: string;
  readonly label: string;
  /** Left out of the body when undefined. */
  readonly value: unknown;
  readonly message: string;
}

/** A description of the value, and the value. */
export type BadValue = readonly [label: string, value: unknown];

/** Values of one field that are refused with the same message. */
export function badFields(field: string, message: string, values: readonly BadValue[]): BadField[] {
  return values.map(([label, value]) => ({ field, label, value, message }));
}

/** Values that are no text. Some of them would be operators in a query. */
export const NOT_TEXT: readonly BadValue[] = [
  ['a number', 12_345_678],
  ['a list', ['some text']],
  ['the operator $gt', { $gt: '' }],
  ['the operator $ne in a list', [{ $ne: null }]],
  ['an object with a constructor', { constructor: 'x' }],
];

/** @param optional the field may be missing, but not null */
export function badTexts(
  field: string,
  { min, max, optional = false }: { min: number; max: number; optional?: boolean },
): BadField[] {
  const length = `${field} must be ${min} to ${max} characters`;
  const bad = (label: string, value: unknown, message: string): BadField => ({
    field,
    label,
    value,
    message,
  });
  return [
    ...(optional ? [] : [bad('nothing', undefined, `${field} is missing`)]),
    bad('null', null, `${field} is missing`),
    ...NOT_TEXT.map(([label, value]) => bad(label, value, `${field} must be text`)),
    bad('an empty text', '', length),
    bad('blanks', ' \t\n', length),
    ...(min > 1 ? [bad(`${min - 1} characters`, 'x'.repeat(min - 1), length)] : []),
    // An emoji has two UTF-16 units, but counts as one character.
    ...(min > 1 ? [bad(`${min - 1} emoji`, '😀'.repeat(min - 1), length)] : []),
    bad(`${max + 1} characters`, 'x'.repeat(max + 1), length),
    bad(`${max + 1} emoji`, '😀'.repeat(max + 1), length),
    bad('a NUL', 'some\0text', `${field} must not contain NUL characters`),
    ...badCharacters(field),
    bad('a high surrogate', 'text \ud800', `${field} must not contain unpaired surrogates`),
    bad('a low surrogate', '\udc00 text', `${field} must not contain unpaired surrogates`),
  ];
}

/** Texts of allowed length that a field refuses because of their characters. */
export function badCharacters(field: string): BadField[] {
  const order = 'must not contain characters that turn the order of others';
  return [
    ...badFields(field, `${field} must have visible characters`, [
      ['zero-width characters', '\u200b\u2060\u200d'],
      ['Hangul fillers', '\u3164\u3164'],
      ['marks alone', '\u0301\ufe0f'],
    ]),
    ...badFields(field, `${field} must not contain control characters (U+001B)`, [
      ['an escape sequence', 'some\u001b[2Jtext'],
    ]),
    ...badFields(field, `${order.replace('must', `${field} must`)} (U+202E)`, [
      ['a bidirectional override', 'some\u202etext'],
    ]),
  ];
}

/** Values that an optional image URL must refuse. */
export function badUrls(field: string): BadField[] {
  return badFields(field, `${field} must be an http or https URL of at most 500 characters`, [
    ...NOT_TEXT,
    ['an empty text', ''],
    ['a word', 'picture.png'],
    ['a script', 'javascript:alert(1)'],
    ['a data URL', 'data:image/png;base64,AAAA'],
    ['another scheme', 'ftp://example.org/a.png'],
    ['a relative address', '/a.png'],
    ['an address without a scheme', '//example.org/a.png'],
    ['a scheme alone', 'https://'],
    ['501 characters', urlOfLength(501)],
    ['a NUL', 'https://example.org/\0.png'],
    ['a lone surrogate', 'https://example.org/\ud800.png'],
  ]);
}

export function urlOfLength(length: number): string {
  const start = 'https://example.org/';
  return start + 'a'.repeat(length - start.length);
}

/** Expects a 422 with exactly these fields and messages. */
export function expectFieldErrors(
  { status, body }: Answer<unknown>,
  ...errors: readonly Pick<BadField, 'field' | 'message'>[]
): void {
  expect({ status, body }).toEqual({
    status: 422,
    body: {
      code: '10001',
      status: 422,
      message: `validation error: ${errors.map(({ message }) => message).join(', ')}`,
      reason: 'validation_failed',
      errors: errors.map(({ field, message }) => ({ field, message })),
    },
  });
}
