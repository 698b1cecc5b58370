/**
 * Makes a function that imports modules of the built server, which must be there. `dist` has no
 * declarations, so the caller names their types: a path below `dist` without `.js`, and what it
 * uses of that module.
 */
export function importerOfBuilt<Modules extends object>() {
  return <Path extends keyof Modules & string>(path: Path): Promise<Modules[Path]> =>
    import(new URL(`../../dist/${path}.js`, import.meta.url).href) as Promise<Modules[Path]>;
}
