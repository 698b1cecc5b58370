/** The part of JSON Schema that the OpenAPI description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly format?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  /** The schema of a property that may be null, and that of null. */
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Stands for a file, whose bytes no description can hold. */
const BYTES = '(the bytes of the file)';

/**
 * Makes an example of a schema from the examples of its parts.
 *
 * @param schemas the components that `$ref` may name
 * @param path path of the schema, for the error message
 * @throws Error naming the part that lacks an example
 */
export function exampleOf(schema: Schema, schemas: Schemas, path = ''): unknown {
  const { $ref, example, enum: values, items, properties, format, anyOf } = schema;
  if (example !== undefined) return example;
  if ($ref !== undefined) return exampleOf(resolve($ref, schemas), schemas, $ref);
  if (anyOf?.[0]) return exampleOf(anyOf[0], schemas, path);
  if (items) return [exampleOf(items, schemas, `${path}[]`)];
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        exampleOf(property, schemas, `${path}.${name}`),
      ]),
    );
  }
  if (values?.length === 1) return values[0];
  if (format === 'binary') return BYTES;
  throw new Error(`${path} lacks an example`);
}

export function resolve($ref: string, schemas: Schemas): Schema {
  const schema = schemas[$ref.replace('#/components/schemas/', '')];
  if (!schema) throw new Error(`${$ref} is referred to and not described`);
  return schema;
}
