import type { MediaType, Operation, Parameter, Response } from './operation.js';

type Components = Readonly<Record<string, object>>;

/** The description that the successes of operations share. */
const SUCCESS = 'success';

/**
 * Reasons that most error responses of the same HTTP status have. A shared response is named after
 * its other reasons, if it has any.
 */
const COMMON_REASONS: ReadonlySet<string> = new Set([
  'malformed_request',
  'malformed_path',
  'api_key_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_scope',
  'path_not_found',
]);

/**
 * The reasons for which an access token is refused. In the name of a response that has several of them, they count as
 * one reason.
 */
const TOKEN_REASON = /^(access_token_(missing|invalid|expired)|session_ended)$/;

/**
 * Moves repeated examples, responses and parameters to components, and replaces each occurrence with a reference.
 *
 * @returns the components, by kind and name
 */
export function shareParts(operations: readonly Operation[]): Readonly<Record<string, Components>> {
  const responses = operations.map((operation) => operation.responses);
  const examples = responses
    .flatMap((byStatus) => Object.values(byStatus))
    .flatMap(({ content = {} }) => Object.values(content))
    .map((media) => media.examples ?? {});
  const parameters = operations.map((operation) => operation.parameters ?? []);
  const descriptions = responses.map(({ 200: success }) => success?.description);
  for (const byStatus of responses) describeSuccess(byStatus, SUCCESS);
  const components = {
    // The responses contain the examples, so the examples come first.
    examples: share('examples', examples, (_value, name) => name),
    responses: share('responses', responses, responseName),
    parameters: share(
      'parameters',
      parameters as unknown as Record<string, Parameter>[],
      parameterName,
    ),
  };
  // A description next to a reference replaces the description of the component.
  responses.forEach((byStatus, index) => describeSuccess(byStatus, descriptions[index]));
  return components;
}

function describeSuccess(responses: Record<string, Response>, description = SUCCESS): void {
  const { 200: success } = responses;
  if (!success || (success.description ?? SUCCESS) === description) return;
  responses['200'] = { ...success, description };
}

/**
 * Moves repeated parts to components. If different parts have the same name, only the most frequent
 * part is shared.
 *
 * @param records the records that contain the parts
 * @returns the components, by name
 */
function share<Part extends object>(
  kind: string,
  records: readonly Record<string, Part>[],
  nameOf: (part: Part, key: string) => string,
): Components {
  const components: Record<string, Part> = {};
  const occurrences = records.flatMap((record) =>
    Object.entries(record).map(([key, part]) => ({ record, key, part, name: nameOf(part, key) })),
  );
  for (const [name, namesakes] of Map.groupBy(occurrences, (occurrence) => occurrence.name)) {
    const variants = Map.groupBy(namesakes, ({ part }) => JSON.stringify(part));
    const [[first, ...others] = []] = [...variants.values()].sort((a, b) => b.length - a.length);
    if (first === undefined || others.length === 0) continue;
    components[name] = first.part;
    const reference = { $ref: `#/components/${kind}/${name}` } as unknown as Part;
    for (const { record, key } of [first, ...others]) record[key] = reference;
  }
  return components;
}

/**
 * @returns a name such as `BlogNotFound` (from the reasons of an error), `EditorialBlog` (from the
 *   envelope of a success), or `NotModified`
 */
function responseName({ content = {} }: Response): string {
  const [media] = Object.values(content);
  if (!media) return 'NotModified';
  return media.examples ? errorName(Object.keys(media.examples)) : successName(media);
}

function errorName(reasons: readonly string[]): string {
  const hasSeveral = reasons.filter((reason) => TOKEN_REASON.test(reason)).length > 1;
  const merged = reasons.map((reason) =>
    hasSeveral ? reason.replace(TOKEN_REASON, 'access_token_refused') : reason,
  );
  const ownReasons = merged.filter((reason) => !COMMON_REASONS.has(reason));
  return [...new Set(ownReasons.length > 0 ? ownReasons : merged.slice(-1))]
    .map(pascalCase)
    .join('Or');
}

function successName({ schema }: MediaType): string {
  const [name = ''] = schema.$ref?.split('/').slice(-1) ?? [];
  return name.replace(/Envelope$/, '');
}

/** @returns a name such as `IfMatch`, or `BlogId` for the id of a blog */
function parameterName({ name, description = '' }: Parameter): string {
  const [, whose] = /^The `_id` of the (.+)$/.exec(description) ?? [];
  return pascalCase(whose === undefined ? name : `${whose} id`);
}

function pascalCase(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
