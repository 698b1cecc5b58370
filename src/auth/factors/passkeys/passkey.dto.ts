import { Text } from '../../../platform/http/validation/text.decorator.js';
import { NAME, NAME_HINT } from '../dto/factor.dto.js';

/** Longest response of a browser in characters; most have fewer than 2,000. */
const MAX_LENGTH = 20_000;

export class PasskeyDto {
  @Text({
    min: 1,
    max: MAX_LENGTH,
    trim: false,
    example: '{"id":"q3X0bUo","type":"public-key","response":{}}',
    description:
      'The credential that the browser has returned, as text: `JSON.stringify(credential)`',
  })
  readonly response!: string;
}

export class NewPasskeyDto extends PasskeyDto {
  @Text({ ...NAME, description: NAME_HINT })
  readonly name!: string;
}
