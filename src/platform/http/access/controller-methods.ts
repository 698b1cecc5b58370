import type { INestApplicationContext, Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

/** A method of a controller. Not every method is the handler of a route. */
export interface ControllerMethod {
  readonly controller: Type;
  readonly name: string;
  readonly method: (...args: never[]) => unknown;
}

/** Every method of every controller of an application. */
export function controllerMethodsOf(app: INestApplicationContext): ControllerMethod[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return controllers.flatMap(methodsOf);
}

export function methodsOf(controller: Type): ControllerMethod[] {
  const prototype = controller.prototype as Record<string, ControllerMethod['method']>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const method = prototype[name];
    return method ? [{ controller, name, method }] : [];
  });
}
