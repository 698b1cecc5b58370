import { Text } from '../platform/http/validation/text.decorator.js';

export class SendMessageDto {
  @Text({ min: 2, max: 50, example: 'feedback' })
  readonly type!: string;

  @Text({ min: 1, max: 2_000, lines: 'many', example: 'The search could also look at tags.' })
  readonly msg!: string;
}
