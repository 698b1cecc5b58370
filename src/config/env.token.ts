/** Injection token of the validated settings as one object, for factories that need many. */
export const ENV = Symbol('Env');
