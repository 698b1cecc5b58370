import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { normalizeSlug } from '../../blog/text/slug.js';
import { tagKey } from '../../blog/text/words.js';

const IS_TEXT = {
  name: 'text',
  validator: { validate: (value: unknown) => typeof value === 'string' },
};

/** `{slug}` in a path, normalised as slugs are stored, so any case finds it. */
export class SlugParam {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: 200,
    example: 'notes-on-the-analytical-engine',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? normalizeSlug(value) : value,
  )
  @ValidateBy(IS_TEXT)
  readonly slug!: string;
}

/** `{tag}` in a path, as tags are matched: without regard to case. */
export class TagParam {
  // No upper bound: a tag that no blog can have is one that no blog has.
  @ApiProperty({ type: String, minLength: 1, example: 'computing' })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? tagKey(value.trim()) : value,
  )
  @ValidateBy(IS_TEXT)
  readonly tag!: string;
}
