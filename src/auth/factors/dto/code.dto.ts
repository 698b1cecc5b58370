import { Text } from '../../../platform/http/validation/text.decorator.js';

export const CODE = {
  min: 6,
  max: 40,
  example: '492039',
  description: 'A code of the app, or a recovery code',
};

export class CodeDto {
  @Text({ ...CODE, description: 'The code that the app shows' })
  readonly code!: string;
}
