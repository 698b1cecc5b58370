import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';

export type SchemaObject = Readonly<Record<string, unknown>>;

/** What the envelope of a success holds. */
export interface EnvelopeContents {
  /** The type of `data`; `[View]` for a list; left out when there is no `data`. */
  readonly data?: Type | readonly [Type] | undefined;
}

/** @returns the view of `data`, and whether `data` is a list of such views */
export function viewOf({
  data,
}: EnvelopeContents): readonly [view: Type | undefined, isList: boolean] {
  return Array.isArray(data) ? [data[0] as Type, true] : [data as Type | undefined, false];
}

/** The name of the component that describes the envelope: endpoints with the same contents share it. */
export function envelopeName(contents: EnvelopeContents): string {
  const [view, isList] = viewOf(contents);
  const name = view?.name.replace(/View$/, '') ?? 'Empty';
  return `${name}${isList ? 'List' : ''}Envelope`;
}

/** The components that describe the members of every envelope of a success. */
export const ENVELOPE_MEMBERS = {
  SuccessCode: { type: 'string', pattern: '^10000$', description: 'Success', example: '10000' },
  SuccessStatus: {
    type: 'integer',
    minimum: 200,
    maximum: 200,
    description: 'The HTTP status',
    example: 200,
  },
  SuccessMessage: {
    type: 'string',
    description: 'What was done, for people',
    example: 'success',
  },
  Warnings: {
    type: 'array',
    minItems: 1,
    description:
      'What was not stored as it was sent, and which names in query and body are unknown and were ignored',
    items: { $ref: '#/components/schemas/FieldProblem' },
    example: [{ field: 'draftText', message: 'style on 14 elements removed' }],
  },
} as const;

const COMMON_MEMBERS = {
  code: { $ref: '#/components/schemas/SuccessCode' },
  status: { $ref: '#/components/schemas/SuccessStatus' },
  message: { $ref: '#/components/schemas/SuccessMessage' },
} as const;

/** The schema of the component that describes the envelope. If the contents have `data`, it is required. */
export function envelopeSchema(contents: EnvelopeContents): SchemaObject {
  const [view, isList] = viewOf(contents);
  return {
    type: 'object',
    description: view
      ? 'The body of a success, with its data'
      : 'The body of a success without data',
    additionalProperties: false,
    required: [...Object.keys(COMMON_MEMBERS), ...(view ? ['data'] : [])],
    properties: {
      ...COMMON_MEMBERS,
      ...(view ? { data: dataSchema(view, isList) } : {}),
      warnings: { $ref: '#/components/schemas/Warnings' },
    },
  };
}

function dataSchema(view: Type, isList: boolean): SchemaObject {
  const reference = { $ref: getSchemaPath(view) };
  return isList
    ? { type: 'array', items: reference, description: 'The items of this page, in order' }
    : { ...reference, description: 'What was asked for, or the record after the change' };
}
