interface Description {
  readonly paths: object;
  readonly components: object;
}

type Components = Readonly<Record<string, Readonly<Record<string, object>> | undefined>>;

const SHARED = /^#\/components\/(parameters|responses|examples)\/(\w+)$/;

/**
 * Replaces references of operations to shared parameters, responses and examples by copies of these. References to
 * schemas and headers remain.
 *
 * @throws Error for a reference that leads nowhere
 */
export function withoutReferences<D extends Description>(description: D): D {
  const components = description.components as Components;
  const expand = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(expand);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref = '', ...others } = node as { readonly $ref?: string };
    const [, kind = '', name = ''] = SHARED.exec($ref) ?? [];
    if (kind === '') {
      return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, expand(part)]));
    }
    const component = components[kind]?.[name];
    if (!component) throw new Error(`${$ref} is not described`);
    // Members next to `$ref`, such as `description`, replace those of the component.
    return { ...(expand(component) as object), ...others };
  };
  return { ...description, paths: expand(description.paths) };
}
