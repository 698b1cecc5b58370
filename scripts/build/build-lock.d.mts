export function withBuildLock<Result>(work: () => Result, path?: string): Result;
