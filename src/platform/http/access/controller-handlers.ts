import type { INestApplicationContext, Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

/** A method of a controller. Not every method is the handler of a route. */
export interface ControllerHandler {
  readonly controller: Type;
  readonly name: string;
  readonly handler: (...args: never[]) => unknown;
}

/** Every method of every controller of an application. */
export function handlersOf(app: INestApplicationContext): ControllerHandler[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return controllers.flatMap(methodsOf);
}

export function methodsOf(controller: Type): ControllerHandler[] {
  const prototype = controller.prototype as Record<string, ControllerHandler['handler']>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    return handler ? [{ controller, name, handler }] : [];
  });
}
