import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { withoutReferences } from '../../scripts/client/without-references.ts';
import { API_ROUTES, type ApiRoute } from '../routes/routes.js';

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly 'x-enum-varnames'?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly required?: readonly string[];
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The content of a body or response, by media type. Every body or response has one media type. */
export interface Content {
  readonly 'application/json'?: MediaType;
  readonly [type: string]: MediaType | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export function isRequiredHeader({ in: place, required }: Parameter): boolean {
  return place === 'header' && required === true;
}

export interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly headers?: Readonly<Record<string, unknown>>;
        readonly content?: Content;
      }
    >
  >;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly schema: Schema; example?: unknown }>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, object>>;
    readonly examples: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

export interface DescribedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly route: ApiRoute;
}

/** The served description, with the route of each operation. */
export class Description {
  /** The description in which each reference to a shared parameter, response or example is replaced by a copy. */
  readonly document: OpenApi;
  readonly operations: readonly DescribedOperation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  /** @param text the description as it is served */
  private constructor(readonly text: string) {
    this.document = withoutReferences(JSON.parse(text) as OpenApi);
    this.operations = Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => withRoute(method, path, operation)),
    );
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: this.document.components });
  }

  static async read(url: string): Promise<Description> {
    const response = await fetch(`${url}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    return new Description(await response.text());
  }

  /** Checks every operation. @returns all problems, each after the name of its operation */
  problems(find: (described: DescribedOperation) => readonly string[]): string[] {
    return this.operations.flatMap((described) =>
      find(described).map((problem) => `${described.name}: ${problem}`),
    );
  }

  /** @throws Error for a reference that leads nowhere */
  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.replace('#/components/schemas/', '');
    const found = this.document.components.schemas[name];
    if (!found) throw new Error(`${schema.$ref} is not described`);
    return found;
  }

  /** @returns what is wrong with a value, or null */
  mismatch(schema: Schema, value: unknown): string | null {
    const rebased = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
    const validate = this.ajv.compile(JSON.parse(rebased) as object);
    return validate(value) ? null : this.ajv.errorsText(validate.errors);
  }

  /** The properties of every object, with the path to the object, such as `Blog.author`. */
  objects(): (readonly [string, Readonly<Record<string, Schema>>])[] {
    return Object.entries(this.document.components.schemas)
      .flatMap(([name, schema]) => partsOf(name, schema))
      .flatMap(([name, { properties }]) => (properties ? [[name, properties] as const] : []));
  }
}

function withRoute(method: string, path: string, operation: Operation): DescribedOperation {
  const name = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const route = API_ROUTES.find((candidate) => candidate.route === name);
  if (!route) throw new Error(`${name} is described, but is no route`);
  return { name, method, path, operation, route };
}

function partsOf(name: string, schema: Schema): (readonly [string, Schema])[] {
  return [
    [name, schema],
    ...Object.entries(schema.properties ?? {}).flatMap(([field, property]) =>
      partsOf(`${name}.${field}`, property),
    ),
    ...(schema.items ? partsOf(`${name}[]`, schema.items) : []),
  ];
}

/** @returns a problem for each part of a request's schema that has no bound */
/** @param resolve finds the schema to which another refers */
export function unbounded(
  name: string,
  given: Schema,
  resolve: (schema: Schema) => Schema = (each) => each,
): string[] {
  const schema = resolve(given.anyOf?.[0] ?? given);
  const { type, format, pattern, minimum, maximum, maxLength, maxItems, items } = schema;
  const types = [type].flat();
  if (types.includes('boolean') || schema.enum) return [];
  if (types.includes('array')) {
    const within = items
      ? unbounded(`${name}[]`, items, resolve)
      : [`${name} has items of any kind`];
    return maxItems === undefined ? [`${name} has no maxItems`, ...within] : within;
  }
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([field, property]) =>
      unbounded(`${name}.${field}`, property, resolve),
    );
  }
  if (types.includes('integer') || types.includes('number')) {
    return minimum === undefined || maximum === undefined ? [`${name} has no bounds`] : [];
  }
  const isBounded = maxLength !== undefined || pattern !== undefined || format === 'date-time';
  return types.includes('string') && isBounded ? [] : [`${name} is unbounded`];
}
