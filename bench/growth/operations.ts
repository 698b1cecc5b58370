/** What the bench reads of `/openapi.json`. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

interface DescribedOperation {
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly example?: Readonly<Record<string, unknown>> }>
    >;
  };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: {
    readonly default?: unknown;
    readonly enum?: readonly unknown[];
    readonly example?: unknown;
  };
  /** Its name among the shared parameters, such as `BlogId`; its own name if it is not shared. */
  readonly kind: string;
}

/** An operation, with values for some of its optional query parameters. */
export interface Operation {
  /** Method, path and query, by which the report names the operation. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The optional query parameter that the requests have; null for the operation without any. */
  readonly option: { readonly parameter: Parameter; readonly value: unknown } | null;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly needsToken: boolean;
  readonly role: 'AUTHOR' | 'EDITOR' | 'ADMIN' | null;
}

/** Values for optional query parameters, by their names; for others the values of the description are taken. */
export type OptionValues = Readonly<Record<string, readonly unknown[]>>;

/** @returns each operation without optional parameters, and with each value of each of these */
export function operationsOf(description: Description, values: OptionValues): Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const operation = operationOf(description, `${method.toUpperCase()} ${path}`, described);
      const options = operation.parameters.filter((one) => one.in === 'query' && !one.required);
      return [
        operation,
        ...options.flatMap((parameter) =>
          (values[parameter.name] ?? valuesOf(parameter)).map((value) => ({
            ...operation,
            name: `${operation.name} ${parameter.name}=${String(value).slice(0, 12)}`,
            option: { parameter, value },
          })),
        ),
      ];
    }),
  );
}

function operationOf(
  { components }: Description,
  name: string,
  { description = '', parameters = [], requestBody, security = [] }: DescribedOperation,
): Operation {
  const [method = '', path = ''] = name.split(' ');
  const [, role = null] = /with the role (AUTHOR|EDITOR|ADMIN)/.exec(description) ?? [];
  return {
    name,
    method,
    path,
    option: null,
    role: role as Operation['role'],
    needsToken: security.some((one) => 'accessToken' in one),
    body: requestBody?.content['application/json']?.example ?? null,
    parameters: parameters.map((parameter) => {
      if (!('$ref' in parameter)) return { ...parameter, kind: parameter.name };
      const kind = parameter.$ref.split('/').at(-1) ?? '';
      const shared = components.parameters[kind];
      if (!shared) throw new Error(`the description lacks the parameter ${kind}`);
      return { ...shared, kind };
    }),
  };
}

function valuesOf({ schema }: Parameter): readonly unknown[] {
  return schema.enum?.filter((value) => value !== schema.default) ?? [schema.example];
}
