import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { ruleOf, type BlogFieldName } from '../blog-fields.js';
import { Check } from '../../../platform/http/validation/check.decorators.js';
import { CoverField } from '../../media/cover/cover.decorator.js';
import { HttpUrl } from '../../../platform/http/validation/http-url.js';
import {
  Text,
  TextList,
  type TextOptions,
} from '../../../platform/http/validation/text.decorator.js';
import { Slug } from './slug.decorator.js';

/** Parses, validates and documents a field of a request body as its row of BLOG_FIELDS says. */
export function BlogField(): (body: object, name: BlogFieldName) => void {
  return (body, name) => {
    const isOptional = ruleOf(name).presence === 'optional';
    applyDecorators(decoratorFor(name), ...(isOptional ? [Removable()] : []))(body, name);
  };
}

function decoratorFor(name: BlogFieldName): PropertyDecorator {
  const { presence, ...rule } = ruleOf(name);
  const optional = presence !== 'required';
  switch (rule.kind) {
    case 'text':
      return Text({ ...rule, optional, isCheckedByService: true });
    case 'html':
      return Html(rule);
    case 'markdown':
      return applyDecorators(Text({ ...rule, optional, trim: false }), NotBesideHtml());
    case 'slug':
      return Slug(rule);
    case 'address':
      return HttpUrl({ ...rule, isCheckedByService: true });
    case 'picture':
      return CoverField(rule.description);
    case 'tags':
      return TextList({ ...rule, optional });
  }
}

/** The text as HTML. A body that has it as Markdown need not have it. */
function Html(rule: TextOptions): PropertyDecorator {
  return applyDecorators(
    Text({ ...rule, trim: false }),
    ApiPropertyOptional(),
    ValidateIf(
      ({ draftMarkdown }: TextFields, value: unknown) =>
        value !== undefined || (draftMarkdown ?? null) === null,
    ),
  );
}

/** The fields of a body that hold the text of the article. */
interface TextFields {
  readonly draftText?: unknown;
  readonly draftMarkdown?: unknown;
}

function NotBesideHtml(): PropertyDecorator {
  return Check((_, { draftText }: TextFields) =>
    draftText === undefined ? null : 'must not stand beside draftText: send one of them',
  );
}

/** Accepts `null`, which removes the stored value. */
function Removable(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ nullable: true }),
    ValidateIf((_: object, value: unknown) => value !== null),
  );
}
