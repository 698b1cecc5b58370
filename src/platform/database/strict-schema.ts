/**
 * The options that all schemas share: no `__v`, and an error for a written field or a path in a filter that
 * the schema does not declare.
 */
export const STRICT = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const;
