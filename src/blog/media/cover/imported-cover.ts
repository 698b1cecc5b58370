import { isJsonObject } from '../../../platform/http/input/parse-input.js';
import { newText } from '../../../platform/http/validation/new-text.js';
import { importedPicture } from '../../../platform/picture/imported-picture.js';
import { strippedRecord } from '../../../platform/text/stripped-record.js';
import { coverProblems } from './cover.decorator.js';
import type { Cover } from './cover.js';

/**
 * Checks and cleans the cover of a record.
 *
 * @param report gets a message for each change that the operator should know of
 * @throws Error that says what is wrong
 */
export function importedCover(value: unknown, report: (change: string) => void): Cover {
  const stripped = isJsonObject(value)
    ? strippedRecord({ ...value }, (change) => report(`cover.${change}`))
    : value;
  const [problem] = coverProblems(stripped, 'cover');
  if (problem) throw new Error(problem.message);
  // The check found an object with `media`, and none of its texts to be wrong.
  const { alt = '' } = stripped as Cover;
  const { media, ...others } = importedPicture(stripped, 'cover');
  return { media, alt: newText(alt).value, ...others };
}
