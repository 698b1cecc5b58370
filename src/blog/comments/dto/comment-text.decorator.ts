import { Text } from '../../../platform/http/validation/text.decorator.js';

/** The text of a comment. */
export function CommentText({
  optional = false,
  isCheckedByService = false,
} = {}): PropertyDecorator {
  return Text({
    min: 1,
    max: 2_000,
    example: 'Which engine is this?',
    description: 'Plain text, no HTML',
    lines: 'many',
    optional,
    isCheckedByService,
  });
}
