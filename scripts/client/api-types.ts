import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { withoutReferences } from './without-references.ts';

const HEADER = `// Made by \`npm run client\` from the description of the API: do not edit, do not commit.\n\n`;

interface Response {
  readonly description?: unknown;
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}

interface Description {
  readonly paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  readonly components: Record<string, object>;
}

/** @returns TypeScript: `paths` with the parameters, the body and the answers of each operation */
export async function apiTypes(description: object): Promise<string> {
  const nodes = await openapiTS(reducedToTypes(description), {
    // A field with a default value may be left out of a body.
    defaultNonNullable: false,
    transform: (schema) => {
      const known = schema['x-extensible-enum'] as readonly string[] | undefined;
      return known && extensibleEnum(known);
    },
  });
  return HEADER + astToString(nodes);
}

/**
 * Reduces each operation to the parts that the types of the client need: the inputs, the success, and one response
 * for all errors, which have the same schema. Types of the whole description would be ten times as long.
 */
function reducedToTypes(description: object): OpenAPI3 {
  const copy = withoutReferences(structuredClone(description) as Description);
  // The operations no longer refer to these components.
  for (const kind of ['parameters', 'responses', 'examples']) delete copy.components[kind];
  for (const operation of Object.values(copy.paths).flatMap((item) => Object.values(item))) {
    const { 200: success, 400: refusal } = operation.responses;
    operation.responses = {
      ...(success ? { 200: withTypesOnly(success) } : {}),
      default: { $ref: '#/components/responses/Refusal' },
    };
    if (refusal) copy.components['responses'] = { Refusal: withTypesOnly(refusal) };
  }
  return copy as unknown as OpenAPI3;
}

function withTypesOnly({ description, content = {} }: Response): Response {
  const schemas = Object.entries(content).map(([type, { schema }]) => [type, { schema }] as const);
  return { description, content: Object.fromEntries(schemas) };
}

/**
 * Allows the known values, which code editors then propose, and any other string: a newer server may have new
 * values.
 */
function extensibleEnum(known: readonly string[]): ts.TypeNode {
  const { factory, SyntaxKind } = ts;
  const text = factory.createKeywordTypeNode(SyntaxKind.StringKeyword);
  return factory.createUnionTypeNode([
    ...known.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value))),
    factory.createIntersectionTypeNode([text, factory.createTypeLiteralNode([])]),
  ]);
}
