import { Text } from '../../../platform/http/validation/text.decorator.js';

/** The body of a request that returns a blog. */
export class ReturnDto {
  @Text({
    min: 1,
    max: 2_000,
    lines: 'many',
    example: 'Please name your sources.',
    description: 'The reason; the author reads it until the next submission',
  })
  readonly note!: string;
}
