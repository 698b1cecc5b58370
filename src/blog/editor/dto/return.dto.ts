import { Text } from '../../../platform/http/validation/text.decorator.js';

/** The body of a request that returns a blog. */
export class ReturnDto {
  @Text({
    min: 1,
    max: 2_000,
    lines: 'many',
    example: 'Please name your sources.',
    description: 'The reason; shown to the author until the next submission, and in the history',
  })
  readonly note!: string;
}
