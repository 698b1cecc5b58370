/**
 * The options that all schemas share: no `__v`, and an error for a field or a filter by a path that the
 * schema does not declare.
 */
export const STRICT = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const;
