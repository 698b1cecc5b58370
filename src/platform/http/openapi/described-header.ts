import { ApiHeader, type ApiHeaderOptions } from '@nestjs/swagger';

/** Decorates a parameter of a handler that takes a header of the request: describes the header in OpenAPI. */
export function describedHeader(options: ApiHeaderOptions): ParameterDecorator {
  const describe = ApiHeader(options);
  return (target, name) => {
    const handler = Object.getOwnPropertyDescriptor(target, name as string);
    if (handler) describe(target, name as string, handler);
  };
}
