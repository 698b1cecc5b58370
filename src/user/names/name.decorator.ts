import { applyDecorators } from '@nestjs/common';
import { Check } from '../../platform/http/validation/check.decorators.js';
import { newText, type NewText } from '../../platform/http/validation/new-text.js';
import { Text } from '../../platform/http/validation/text.decorator.js';
import { looksFormer } from './former-names.js';

const NAME = { min: 1, max: 200, example: 'Ada Lovelace' } as const;

/** Checks the name of an account. No account may look like a deleted one. */
export function newName(sent: string): NewText {
  const { value, problem } = newText(sent);
  return { value, problem: problem ?? formerProblem(value) };
}

function formerProblem(name: unknown): string | null {
  return typeof name === 'string' && looksFormer(name)
    ? 'must not look like the name of deleted accounts'
    : null;
}

/** Declares the name of a new account. */
export function NewName({ optional = false } = {}): PropertyDecorator {
  return applyDecorators(Text({ ...NAME, optional }), Check(formerProblem));
}

/** Declares a name that replaces a stored one. The service checks it with `newName`. */
export function ChangedName(): PropertyDecorator {
  return Text({ ...NAME, optional: true, isCheckedByService: true });
}
