/** A copy of an object without its undefined values, for a request body. */
export function omitUndefined(values: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
