import { Text } from '../../platform/http/validation/text.decorator.js';

/** The body of a submission. */
export class SubmissionDto {
  @Text({
    min: 0,
    max: 2_000,
    example: 'The second chapter is new.',
    lines: 'many',
    optional: true,
    description: 'Shown to editors while the blog is in review',
  })
  readonly note?: string;
}
