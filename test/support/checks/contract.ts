import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import findMyWay from 'find-my-way';
import { withoutReferences } from '../../../scripts/client/without-references.ts';
import { REASONS } from '../../../src/platform/http/errors/reasons.js';

interface ResponseObject {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

export interface ObservedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** HTTP's own headers, which a description does not declare. */
const UNDECLARED_HEADERS = new Set([
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'allow',
]);

/** Checks that responses have only statuses, headers, content types and JSON fields of the OpenAPI description. */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 2_400 });
  private readonly validators = new Map<object, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: document.components });
    for (const [template, operations] of Object.entries(withoutReferences(document).paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const url = template.replaceAll(/\{(\w+)\}/g, ':$1');
        const store = { operation, template };
        this.router.on(method.toUpperCase() as 'GET', url, () => undefined, store);
        if (method === 'get') this.router.on('HEAD', url, () => undefined, store);
      }
    }
  }

  /** @throws Error with the part of the response that is not declared */
  check(observed: ObservedResponse): void {
    this.checkDeclared(observed);
    checkReason(observed);
  }

  private checkDeclared(observed: ObservedResponse): void {
    const { method, path, status, body } = observed;
    // The path as fetch sends it: without segments such as `..`.
    const { pathname } = new URL(path, 'http://localhost');
    const found = this.router.find(method as 'GET', pathname);
    const summary = `${method} ${path} answered ${status}`;
    if (!found) {
      this.checkUnrouted(observed, summary);
      return;
    }
    const { operation } = found.store as { operation: Operation };
    const response = operation.responses[String(status)];
    if (!response) throw new Error(`${summary}, a status that it does not declare`);
    this.checkHeaders(observed, response, summary);
    checkContentType(observed, response, summary);
    const [schema] = Object.entries(response.content ?? {})
      .filter(([type]) => type.endsWith('json'))
      .map(([, media]) => media.schema);
    if (method === 'HEAD' || !schema) {
      if (body !== undefined) throw new Error(`${summary} with a body that it does not declare`);
      return;
    }
    this.checkBody(schema, body, summary);
  }

  /** Checks responses without an operation: to unknown paths and methods, and to preflights. */
  private checkUnrouted({ status, method, body }: ObservedResponse, summary: string): void {
    if (method === 'OPTIONS' && status === 204) return;
    if (![400, 404, 405, 413, 415].includes(status)) {
      throw new Error(`${summary}, but no such operation is described`);
    }
    if (method !== 'HEAD')
      this.checkBody({ $ref: '#/components/schemas/ErrorEnvelope' }, body, summary);
  }

  private checkHeaders(
    { headers }: ObservedResponse,
    response: ResponseObject,
    summary: string,
  ): void {
    const declared = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
    for (const name of headers.keys()) {
      if (!declared.has(name) && !UNDECLARED_HEADERS.has(name)) {
        throw new Error(`${summary} with the header ${name}, which it does not declare`);
      }
    }
  }

  private checkBody(schema: object, body: unknown, summary: string): void {
    const validate = this.validators.get(schema) ?? this.ajv.compile(rebased(schema));
    this.validators.set(schema, validate);
    if (validate(body)) return;
    const problems = this.ajv.errorsText(validate.errors, { dataVar: 'body' });
    throw new Error(`${summary} with a body that it does not declare: ${problems}`);
  }
}

/** Every error, and the redirect `blog_moved`, must have a reason that REASONS lists with the same status. */
function checkReason({ method, path, status, body }: ObservedResponse): void {
  if (body === undefined || status < 301) return;
  const { reason } = body as { readonly reason?: keyof typeof REASONS };
  if (reason === undefined || REASONS[reason]?.status !== status) {
    throw new Error(`${method} ${path} answered ${status} with the reason ${reason}`);
  }
}

/** The content type must be the declared one. */
function checkContentType(
  { method, headers }: ObservedResponse,
  { content = {} }: ResponseObject,
  summary: string,
): void {
  const [declared] = Object.keys(content);
  const type = headers.get('content-type')?.split(';')[0];
  const isDeclared =
    type === declared || (declared === 'image/*' && type?.startsWith('image/') === true);
  if (method !== 'HEAD' && !isDeclared) {
    throw new Error(`${summary} with the type ${type}, which it does not declare`);
  }
}

/** Makes relative references point to the schema `openapi`, which holds the components. */
function rebased(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'),
  ) as object;
}
