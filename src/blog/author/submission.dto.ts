import { NullableBody } from '../../platform/http/input/parse-input.js';
import { Text } from '../../platform/http/validation/text.decorator.js';

/** The body of a submission. Clients of the older server send none, or `null`. */
@NullableBody()
export class SubmissionDto {
  @Text({
    min: 0,
    max: 2_000,
    example: 'The second chapter is new.',
    lines: 'many',
    optional: true,
    description: 'Shown to editors while the blog is in review, and in its history',
  })
  readonly note?: string;
}
