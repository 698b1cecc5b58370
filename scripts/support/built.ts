/**
 * Makes a function that imports modules of the built server, which must exist. `build` has no declarations, so the
 * caller declares the modules in `Modules`: the keys are paths below `build` without `.js`, the values are the parts
 * of each module that the caller uses.
 */
export function importerOfBuilt<Modules extends object>() {
  return <Path extends keyof Modules & string>(path: Path): Promise<Modules[Path]> =>
    import(new URL(`../../build/${path}.js`, import.meta.url).href) as Promise<Modules[Path]>;
}
