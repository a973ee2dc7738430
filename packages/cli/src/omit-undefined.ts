/** An object without what is undefined: a body says nothing about what nobody said. */
export function omitUndefined(values: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
