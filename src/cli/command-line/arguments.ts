import { InvalidArgumentError } from 'commander';
import { isISO8601 } from 'class-validator';
import { Types } from 'mongoose';
import { SCOPE_NAMES, type KeyScope } from '../../platform/http/access/key-scopes/key-scope.js';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { newText } from '../../platform/http/validation/new-text.js';
import { textProblem } from '../../platform/http/validation/text.decorator.js';

// Parsers of arguments and options. Commander reports an error that they throw as wrong usage.

export function parseId(text: string): Types.ObjectId {
  if (/^[0-9a-f]{24}$/i.test(text)) return new Types.ObjectId(text);
  throw new InvalidArgumentError('It is no id; "list" shows the ids.');
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 9999.');
}

export function parseComment(text: string): string {
  const { value, problem: characters } = newText(text);
  const problem = textProblem(value, { min: 1, max: 200 }) ?? characters;
  if (problem === null) return value;
  throw new InvalidArgumentError(`It ${problem}.`);
}

export function parseTime(text: string): Date {
  if (isISO8601(text, { strict: true, strictSeparator: true })) return new Date(text);
  throw new InvalidArgumentError('It must be a date such as 2030-01-31 or 2030-01-31T08:00:00Z.');
}

/**
 * Parses a role of an option that may be repeated.
 *
 * @param before the roles that the earlier occurrences of the option gave
 */
export function parseRole(text: string, before: readonly RoleCode[] = []): readonly RoleCode[] {
  const role = ROLE_CODES.find((code) => code === text);
  if (role) return [...before, role];
  throw new InvalidArgumentError(`It must be one of ${ROLE_CODES.join(', ')}.`);
}

/** Parses a list of scopes with commas between them. */
export function parseScopes(text: string): readonly KeyScope[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const scopes = SCOPE_NAMES.filter((scope) => names.includes(scope));
  if (scopes.length === names.length) return scopes;
  throw new InvalidArgumentError(
    `It must be a list such as read,search of ${SCOPE_NAMES.join(', ')}.`,
  );
}
